-- apart: each statement in no transaction
alter table "shop_conf" drop constraint if exists "shop_conf_held_seconds_range", add constraint "shop_conf_held_seconds_range" check ("held_seconds" >= 10 and "held_seconds" <= 3600) not valid;
do $$ begin
  alter table "shop_conf" validate constraint "shop_conf_held_seconds_range";
  exception when check_violation then
    alter table "shop_conf" drop constraint "shop_conf_held_seconds_range";
    raise warning 'rows of shop_conf break the rule "held_seconds" >= 10 and "held_seconds" <= 3600: it is left out';
  end $$;
