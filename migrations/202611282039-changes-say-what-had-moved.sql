alter table "flow_change_call" add column "moved" jsonb;
