alter table "shop_conf" add column "points_per_yuan" numeric(18,2);
alter table "shop_conf" add column "points_for_yuan" integer;
alter table "shop_conf" add column "points_share" integer;
alter table "shop_event" add column "remind_step" integer;
alter table "shop_event" add column "remind_time" timestamptz(3);
