-- relation: cut_positions
-- grain: one row per open node and candidate quasi-identifier
-- inputs: candidate_attributes
-- outputs: node, attribute, records, cut_1
-- paper: LeFevre, DeWitt & Ramakrishnan 2006, relaxed multidimensional partitioning
-- Where a node is cut in two if records alike may be parted: in the middle.
select
    candidate_attributes.node,
    candidate_attributes.attribute,
    candidate_attributes.records,
    cast((candidate_attributes.records + candidate_attributes.records % 2) / 2 as bigint) as cut_1
from "sqlanon_tree_attributes" as candidate_attributes
