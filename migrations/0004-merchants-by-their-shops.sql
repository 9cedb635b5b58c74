create index "merchant_info_by_shop_ids" on "merchant_info" (tenant_id, shop_ids, create_time desc, id desc) where is_deleted = 0;
