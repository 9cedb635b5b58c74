alter table "flow_change" add column "outcome_en" text;
alter table "report_sent" add column "reason_en" text;
