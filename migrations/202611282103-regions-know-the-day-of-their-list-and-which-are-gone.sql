alter table "region" add column "is_abolished" boolean;
alter table "region" add column "as_of" date;
