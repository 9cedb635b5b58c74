alter table "bulk_run" add column "sums" jsonb not null default '{}';
