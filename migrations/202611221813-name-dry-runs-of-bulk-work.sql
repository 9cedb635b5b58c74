alter table "bulk_run" rename column "rehearsed" to "dry_run_rows";
update "job" set queue = 'kit.dryRun' where queue = 'kit.rehearse';
