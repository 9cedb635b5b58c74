alter table "merchant_term" add column "sub_mchid" text;
-- Nobody wrote down which number a merchant had before: that of today has taken its money.
-- locks: a few rows for each shop, and only who moves a shop or makes a bill waits
update "merchant_term" t set sub_mchid = m.sub_mchid from merchant_info m
  where m.tenant_id = t.tenant_id and m.id = t.merchant_id;
