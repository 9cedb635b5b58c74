-- apart: each statement in no transaction
alter table "ele_shop_info" drop constraint if exists "ele_shop_info_markup_range", add constraint "ele_shop_info_markup_range" check ("markup" >= 0 and "markup" <= 300) not valid;
do $$ begin
  alter table "ele_shop_info" validate constraint "ele_shop_info_markup_range";
  exception when check_violation then
    alter table "ele_shop_info" drop constraint "ele_shop_info_markup_range";
    raise warning 'rows of ele_shop_info break the rule "markup" >= 0 and "markup" <= 300: it is left out';
  end $$;
alter table "ele_shop_info" drop constraint if exists "ele_shop_info_stock_buffer_range", add constraint "ele_shop_info_stock_buffer_range" check ("stock_buffer" >= 0 and "stock_buffer" <= 9999) not valid;
do $$ begin
  alter table "ele_shop_info" validate constraint "ele_shop_info_stock_buffer_range";
  exception when check_violation then
    alter table "ele_shop_info" drop constraint "ele_shop_info_stock_buffer_range";
    raise warning 'rows of ele_shop_info break the rule "stock_buffer" >= 0 and "stock_buffer" <= 9999: it is left out';
  end $$;
alter table "ele_sku_info" drop constraint if exists "ele_sku_info_stock_range";
alter table "meituan_shop_info" drop constraint if exists "meituan_shop_info_markup_range", add constraint "meituan_shop_info_markup_range" check ("markup" >= 0 and "markup" <= 300) not valid;
do $$ begin
  alter table "meituan_shop_info" validate constraint "meituan_shop_info_markup_range";
  exception when check_violation then
    alter table "meituan_shop_info" drop constraint "meituan_shop_info_markup_range";
    raise warning 'rows of meituan_shop_info break the rule "markup" >= 0 and "markup" <= 300: it is left out';
  end $$;
alter table "meituan_shop_info" drop constraint if exists "meituan_shop_info_stock_buffer_range", add constraint "meituan_shop_info_stock_buffer_range" check ("stock_buffer" >= 0 and "stock_buffer" <= 9999) not valid;
do $$ begin
  alter table "meituan_shop_info" validate constraint "meituan_shop_info_stock_buffer_range";
  exception when check_violation then
    alter table "meituan_shop_info" drop constraint "meituan_shop_info_stock_buffer_range";
    raise warning 'rows of meituan_shop_info break the rule "stock_buffer" >= 0 and "stock_buffer" <= 9999: it is left out';
  end $$;
alter table "meituan_sku_info" drop constraint if exists "meituan_sku_info_stock_range";
alter table "third_api" drop constraint if exists "third_api_per_second_range", add constraint "third_api_per_second_range" check ("per_second" >= 1 and "per_second" <= 1000) not valid;
do $$ begin
  alter table "third_api" validate constraint "third_api_per_second_range";
  exception when check_violation then
    alter table "third_api" drop constraint "third_api_per_second_range";
    raise warning 'rows of third_api break the rule "per_second" >= 1 and "per_second" <= 1000: it is left out';
  end $$;
