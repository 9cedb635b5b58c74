alter table "shop_loss" add column "basis" text;
