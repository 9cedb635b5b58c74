alter table "merchant_bill" add column "statement_problem" text;
