alter table "refund_payment" add column "is_handed_over" boolean not null default false;
