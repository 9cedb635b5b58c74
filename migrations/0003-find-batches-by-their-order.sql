create index "storage_batch_by_supplier_order_id" on "storage_batch" (tenant_id, supplier_order_id);
