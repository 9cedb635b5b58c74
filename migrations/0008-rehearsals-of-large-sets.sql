alter table "bulk_run" add column "rehearsed" jsonb;
