-- relation: deal_nodes
-- grain: one row
-- inputs: none
-- outputs: node, classes
-- paper: sqlanon, Split-or-Deal §5
-- The whole table is to be dealt out to so many classes.
select
    cast(0 as bigint) as node,
    cast(4 as bigint) as classes
