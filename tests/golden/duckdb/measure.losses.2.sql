-- relation: losses
-- grain: one row
-- inputs: classes, class_loss, ledger?
-- outputs: gcp, q*_ncp
-- paper: Amiri et al. 2023, §3.3 (GCP); Xu et al. 2006 (NCP)
-- The mean loss of a record; of one that was left out all is lost. A loss that is not known for one
-- class is not known for the release.
select
    case
        when count(class_loss.loss) = count(*)
            then round(sum(classes.records * class_loss.loss) / sum(classes.records), 9)
    end as gcp,
    case
        when count(class_loss.q1_loss) = count(*)
            then round(sum(classes.records * class_loss.q1_loss) / sum(classes.records), 9)
    end as q1_ncp,
    case
        when count(class_loss.q2_loss) = count(*)
            then round(sum(classes.records * class_loss.q2_loss) / sum(classes.records), 9)
    end as q2_ncp,
    case
        when count(class_loss.q3_loss) = count(*)
            then round(sum(classes.records * class_loss.q3_loss) / sum(classes.records), 9)
    end as q3_ncp
from "sqlanon_classes" as classes
inner join "sqlanon_class_loss" as class_loss
    on classes.class_id = class_loss.class_id
