-- apart: each statement in no transaction
create index if not exists "balance_log_of_type" on only "balance_log" (tenant_id, type, create_time, id);
-- each part of "balance_log" without "balance_log_of_type"
drop index concurrently if exists "balance_log_of_type_{part}";
-- each part of "balance_log" without "balance_log_of_type"
create index concurrently "balance_log_of_type_{part}" on "balance_log_{part}" (tenant_id, type, create_time, id);
-- each part of "balance_log" without "balance_log_of_type"
alter index "balance_log_of_type" attach partition "balance_log_of_type_{part}";
create index if not exists "balance_log_of_change" on only "balance_log" (tenant_id, change, create_time, id);
-- each part of "balance_log" without "balance_log_of_change"
drop index concurrently if exists "balance_log_of_change_{part}";
-- each part of "balance_log" without "balance_log_of_change"
create index concurrently "balance_log_of_change_{part}" on "balance_log_{part}" (tenant_id, change, create_time, id);
-- each part of "balance_log" without "balance_log_of_change"
alter index "balance_log_of_change" attach partition "balance_log_of_change_{part}";
create index if not exists "balance_log_of_ref_type" on only "balance_log" (tenant_id, ref_type, create_time, id);
-- each part of "balance_log" without "balance_log_of_ref_type"
drop index concurrently if exists "balance_log_of_ref_type_{part}";
-- each part of "balance_log" without "balance_log_of_ref_type"
create index concurrently "balance_log_of_ref_type_{part}" on "balance_log_{part}" (tenant_id, ref_type, create_time, id);
-- each part of "balance_log" without "balance_log_of_ref_type"
alter index "balance_log_of_ref_type" attach partition "balance_log_of_ref_type_{part}";
drop index if exists "balance_log_by_type_create_time";
drop index concurrently if exists "customer_visit_log_of_leave_time";
create index concurrently "customer_visit_log_of_leave_time" on "customer_visit_log" (tenant_id, leave_time, enter_time, id);
drop index concurrently if exists "customer_visit_log_of_entry_mode";
create index concurrently "customer_visit_log_of_entry_mode" on "customer_visit_log" (tenant_id, entry_mode, enter_time, id);
drop index concurrently if exists "customer_visit_log_of_result";
create index concurrently "customer_visit_log_of_result" on "customer_visit_log" (tenant_id, result, enter_time, id);
drop index concurrently if exists "customer_visit_log_of_paid_amount";
create index concurrently "customer_visit_log_of_paid_amount" on "customer_visit_log" (tenant_id, paid_amount, enter_time, id);
create index if not exists "door_control_log_of_action" on only "door_control_log" (tenant_id, action, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_action"
drop index concurrently if exists "door_control_log_of_action_{part}";
-- each part of "door_control_log" without "door_control_log_of_action"
create index concurrently "door_control_log_of_action_{part}" on "door_control_log_{part}" (tenant_id, action, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_action"
alter index "door_control_log_of_action" attach partition "door_control_log_of_action_{part}";
create index if not exists "door_control_log_of_source" on only "door_control_log" (tenant_id, source, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_source"
drop index concurrently if exists "door_control_log_of_source_{part}";
-- each part of "door_control_log" without "door_control_log_of_source"
create index concurrently "door_control_log_of_source_{part}" on "door_control_log_{part}" (tenant_id, source, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_source"
alter index "door_control_log_of_source" attach partition "door_control_log_of_source_{part}";
create index if not exists "door_control_log_of_user_id" on only "door_control_log" (tenant_id, user_id, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_user_id"
drop index concurrently if exists "door_control_log_of_user_id_{part}";
-- each part of "door_control_log" without "door_control_log_of_user_id"
create index concurrently "door_control_log_of_user_id_{part}" on "door_control_log_{part}" (tenant_id, user_id, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_user_id"
alter index "door_control_log_of_user_id" attach partition "door_control_log_of_user_id_{part}";
create index if not exists "door_control_log_of_result" on only "door_control_log" (tenant_id, result, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_result"
drop index concurrently if exists "door_control_log_of_result_{part}";
-- each part of "door_control_log" without "door_control_log_of_result"
create index concurrently "door_control_log_of_result_{part}" on "door_control_log_{part}" (tenant_id, result, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_result"
alter index "door_control_log_of_result" attach partition "door_control_log_of_result_{part}";
create index if not exists "door_control_log_of_cost_ms" on only "door_control_log" (tenant_id, cost_ms, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_cost_ms"
drop index concurrently if exists "door_control_log_of_cost_ms_{part}";
-- each part of "door_control_log" without "door_control_log_of_cost_ms"
create index concurrently "door_control_log_of_cost_ms_{part}" on "door_control_log_{part}" (tenant_id, cost_ms, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_cost_ms"
alter index "door_control_log_of_cost_ms" attach partition "door_control_log_of_cost_ms_{part}";
create index if not exists "door_control_log_of_client_id" on only "door_control_log" (tenant_id, client_id, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_client_id"
drop index concurrently if exists "door_control_log_of_client_id_{part}";
-- each part of "door_control_log" without "door_control_log_of_client_id"
create index concurrently "door_control_log_of_client_id_{part}" on "door_control_log_{part}" (tenant_id, client_id, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_client_id"
alter index "door_control_log_of_client_id" attach partition "door_control_log_of_client_id_{part}";
create index if not exists "door_control_log_of_command_id" on only "door_control_log" (tenant_id, command_id, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_command_id"
drop index concurrently if exists "door_control_log_of_command_id_{part}";
-- each part of "door_control_log" without "door_control_log_of_command_id"
create index concurrently "door_control_log_of_command_id_{part}" on "door_control_log_{part}" (tenant_id, command_id, create_time, id);
-- each part of "door_control_log" without "door_control_log_of_command_id"
alter index "door_control_log_of_command_id" attach partition "door_control_log_of_command_id_{part}";
drop index concurrently if exists "good_info_of_sale_price";
create index concurrently "good_info_of_sale_price" on "good_info" (tenant_id, sale_price, create_time, id) where is_deleted = 0;
drop index concurrently if exists "good_info_of_vip_price";
create index concurrently "good_info_of_vip_price" on "good_info" (tenant_id, vip_price, create_time, id) where is_deleted = 0;
drop index concurrently if exists "good_info_of_stock";
create index concurrently "good_info_of_stock" on "good_info" (tenant_id, stock, create_time, id) where is_deleted = 0;
drop index concurrently if exists "good_info_of_on_sale";
create index concurrently "good_info_of_on_sale" on "good_info" (tenant_id, on_sale, create_time, id) where is_deleted = 0;
create index if not exists "integral_log_of_type" on only "integral_log" (tenant_id, type, create_time, id);
-- each part of "integral_log" without "integral_log_of_type"
drop index concurrently if exists "integral_log_of_type_{part}";
-- each part of "integral_log" without "integral_log_of_type"
create index concurrently "integral_log_of_type_{part}" on "integral_log_{part}" (tenant_id, type, create_time, id);
-- each part of "integral_log" without "integral_log_of_type"
alter index "integral_log_of_type" attach partition "integral_log_of_type_{part}";
create index if not exists "integral_log_of_change" on only "integral_log" (tenant_id, change, create_time, id);
-- each part of "integral_log" without "integral_log_of_change"
drop index concurrently if exists "integral_log_of_change_{part}";
-- each part of "integral_log" without "integral_log_of_change"
create index concurrently "integral_log_of_change_{part}" on "integral_log_{part}" (tenant_id, change, create_time, id);
-- each part of "integral_log" without "integral_log_of_change"
alter index "integral_log_of_change" attach partition "integral_log_of_change_{part}";
create index if not exists "integral_log_of_ref_type" on only "integral_log" (tenant_id, ref_type, create_time, id);
-- each part of "integral_log" without "integral_log_of_ref_type"
drop index concurrently if exists "integral_log_of_ref_type_{part}";
-- each part of "integral_log" without "integral_log_of_ref_type"
create index concurrently "integral_log_of_ref_type_{part}" on "integral_log_{part}" (tenant_id, ref_type, create_time, id);
-- each part of "integral_log" without "integral_log_of_ref_type"
alter index "integral_log_of_ref_type" attach partition "integral_log_of_ref_type_{part}";
drop index if exists "integral_log_by_type_create_time";
create index if not exists "log_api_of_trace_id" on only "log_api" (tenant_id, trace_id, create_time, id);
-- each part of "log_api" without "log_api_of_trace_id"
drop index concurrently if exists "log_api_of_trace_id_{part}";
-- each part of "log_api" without "log_api_of_trace_id"
create index concurrently "log_api_of_trace_id_{part}" on "log_api_{part}" (tenant_id, trace_id, create_time, id);
-- each part of "log_api" without "log_api_of_trace_id"
alter index "log_api_of_trace_id" attach partition "log_api_of_trace_id_{part}";
create index if not exists "log_api_of_http_status" on only "log_api" (tenant_id, http_status, create_time, id);
-- each part of "log_api" without "log_api_of_http_status"
drop index concurrently if exists "log_api_of_http_status_{part}";
-- each part of "log_api" without "log_api_of_http_status"
create index concurrently "log_api_of_http_status_{part}" on "log_api_{part}" (tenant_id, http_status, create_time, id);
-- each part of "log_api" without "log_api_of_http_status"
alter index "log_api_of_http_status" attach partition "log_api_of_http_status_{part}";
create index if not exists "log_error_of_trace_id" on only "log_error" (tenant_id, trace_id, create_time, id);
-- each part of "log_error" without "log_error_of_trace_id"
drop index concurrently if exists "log_error_of_trace_id_{part}";
-- each part of "log_error" without "log_error_of_trace_id"
create index concurrently "log_error_of_trace_id_{part}" on "log_error_{part}" (tenant_id, trace_id, create_time, id);
-- each part of "log_error" without "log_error_of_trace_id"
alter index "log_error_of_trace_id" attach partition "log_error_of_trace_id_{part}";
create index if not exists "log_usual_of_trace_id" on only "log_usual" (tenant_id, trace_id, create_time, id);
-- each part of "log_usual" without "log_usual_of_trace_id"
drop index concurrently if exists "log_usual_of_trace_id_{part}";
-- each part of "log_usual" without "log_usual_of_trace_id"
create index concurrently "log_usual_of_trace_id_{part}" on "log_usual_{part}" (tenant_id, trace_id, create_time, id);
-- each part of "log_usual" without "log_usual_of_trace_id"
alter index "log_usual_of_trace_id" attach partition "log_usual_of_trace_id_{part}";
create index if not exists "log_usual_of_log_level" on only "log_usual" (tenant_id, log_level, create_time, id);
-- each part of "log_usual" without "log_usual_of_log_level"
drop index concurrently if exists "log_usual_of_log_level_{part}";
-- each part of "log_usual" without "log_usual_of_log_level"
create index concurrently "log_usual_of_log_level_{part}" on "log_usual_{part}" (tenant_id, log_level, create_time, id);
-- each part of "log_usual" without "log_usual_of_log_level"
alter index "log_usual_of_log_level" attach partition "log_usual_of_log_level_{part}";
drop index concurrently if exists "merchant_bill_detail_of_merchant_id";
create index concurrently "merchant_bill_detail_of_merchant_id" on "merchant_bill_detail" (tenant_id, merchant_id, time, id);
drop index concurrently if exists "merchant_bill_detail_of_shop_id";
create index concurrently "merchant_bill_detail_of_shop_id" on "merchant_bill_detail" (tenant_id, shop_id, time, id);
drop index concurrently if exists "merchant_bill_detail_of_kind";
create index concurrently "merchant_bill_detail_of_kind" on "merchant_bill_detail" (tenant_id, kind, time, id);
drop index concurrently if exists "merchant_bill_detail_of_refund_no";
create index concurrently "merchant_bill_detail_of_refund_no" on "merchant_bill_detail" (tenant_id, refund_no, time, id);
drop index concurrently if exists "merchant_bill_detail_of_channel";
create index concurrently "merchant_bill_detail_of_channel" on "merchant_bill_detail" (tenant_id, channel, time, id);
drop index concurrently if exists "merchant_bill_detail_of_amount";
create index concurrently "merchant_bill_detail_of_amount" on "merchant_bill_detail" (tenant_id, amount, time, id);
drop index concurrently if exists "merchant_bill_detail_of_refund";
create index concurrently "merchant_bill_detail_of_refund" on "merchant_bill_detail" (tenant_id, refund, time, id);
drop index concurrently if exists "merchant_bill_detail_of_fee";
create index concurrently "merchant_bill_detail_of_fee" on "merchant_bill_detail" (tenant_id, fee, time, id);
drop index concurrently if exists "merchant_bill_detail_of_check_result";
create index concurrently "merchant_bill_detail_of_check_result" on "merchant_bill_detail" (tenant_id, check_result, time, id);
drop index concurrently if exists "notice_log_of_channel";
create index concurrently "notice_log_of_channel" on "notice_log" (tenant_id, channel, create_time, id);
drop index concurrently if exists "notice_log_of_template";
create index concurrently "notice_log_of_template" on "notice_log" (tenant_id, template, create_time, id);
drop index concurrently if exists "notice_log_of_result";
create index concurrently "notice_log_of_result" on "notice_log" (tenant_id, result, create_time, id);
drop index concurrently if exists "notice_log_of_send_time";
create index concurrently "notice_log_of_send_time" on "notice_log" (tenant_id, send_time, create_time, id);
drop index concurrently if exists "notice_log_of_subscribe_id";
create index concurrently "notice_log_of_subscribe_id" on "notice_log" (tenant_id, subscribe_id, create_time, id);
drop index concurrently if exists "recharge_log_of_conf_id";
create index concurrently "recharge_log_of_conf_id" on "recharge_log" (tenant_id, conf_id, create_time, id);
drop index concurrently if exists "recharge_log_of_amount";
create index concurrently "recharge_log_of_amount" on "recharge_log" (tenant_id, amount, create_time, id);
drop index concurrently if exists "recharge_log_of_pay_type";
create index concurrently "recharge_log_of_pay_type" on "recharge_log" (tenant_id, pay_type, create_time, id);
drop index concurrently if exists "recharge_log_of_pay_status";
create index concurrently "recharge_log_of_pay_status" on "recharge_log" (tenant_id, pay_status, create_time, id);
drop index concurrently if exists "recharge_log_of_refund_amount";
create index concurrently "recharge_log_of_refund_amount" on "recharge_log" (tenant_id, refund_amount, create_time, id);
drop index concurrently if exists "recharge_log_by_pay_status_create_time_id";
drop index concurrently if exists "refunds_of_wx_user_id";
create index concurrently "refunds_of_wx_user_id" on "refunds" (tenant_id, wx_user_id, create_time, id);
drop index concurrently if exists "refunds_of_status";
create index concurrently "refunds_of_status" on "refunds" (tenant_id, status, create_time, id);
drop index concurrently if exists "refunds_of_amount";
create index concurrently "refunds_of_amount" on "refunds" (tenant_id, amount, create_time, id);
drop index concurrently if exists "refunds_by_status_create_time_id";
create index if not exists "request_log_of_system" on only "request_log" (tenant_id, system, create_time, id);
-- each part of "request_log" without "request_log_of_system"
drop index concurrently if exists "request_log_of_system_{part}";
-- each part of "request_log" without "request_log_of_system"
create index concurrently "request_log_of_system_{part}" on "request_log_{part}" (tenant_id, system, create_time, id);
-- each part of "request_log" without "request_log_of_system"
alter index "request_log_of_system" attach partition "request_log_of_system_{part}";
create index if not exists "request_log_of_direction" on only "request_log" (tenant_id, direction, create_time, id);
-- each part of "request_log" without "request_log_of_direction"
drop index concurrently if exists "request_log_of_direction_{part}";
-- each part of "request_log" without "request_log_of_direction"
create index concurrently "request_log_of_direction_{part}" on "request_log_{part}" (tenant_id, direction, create_time, id);
-- each part of "request_log" without "request_log_of_direction"
alter index "request_log_of_direction" attach partition "request_log_of_direction_{part}";
create index if not exists "request_log_of_http_status" on only "request_log" (tenant_id, http_status, create_time, id);
-- each part of "request_log" without "request_log_of_http_status"
drop index concurrently if exists "request_log_of_http_status_{part}";
-- each part of "request_log" without "request_log_of_http_status"
create index concurrently "request_log_of_http_status_{part}" on "request_log_{part}" (tenant_id, http_status, create_time, id);
-- each part of "request_log" without "request_log_of_http_status"
alter index "request_log_of_http_status" attach partition "request_log_of_http_status_{part}";
create index if not exists "request_log_of_biz_code" on only "request_log" (tenant_id, biz_code, create_time, id);
-- each part of "request_log" without "request_log_of_biz_code"
drop index concurrently if exists "request_log_of_biz_code_{part}";
-- each part of "request_log" without "request_log_of_biz_code"
create index concurrently "request_log_of_biz_code_{part}" on "request_log_{part}" (tenant_id, biz_code, create_time, id);
-- each part of "request_log" without "request_log_of_biz_code"
alter index "request_log_of_biz_code" attach partition "request_log_of_biz_code_{part}";
create index if not exists "request_log_of_cost_ms" on only "request_log" (tenant_id, cost_ms, create_time, id);
-- each part of "request_log" without "request_log_of_cost_ms"
drop index concurrently if exists "request_log_of_cost_ms_{part}";
-- each part of "request_log" without "request_log_of_cost_ms"
create index concurrently "request_log_of_cost_ms_{part}" on "request_log_{part}" (tenant_id, cost_ms, create_time, id);
-- each part of "request_log" without "request_log_of_cost_ms"
alter index "request_log_of_cost_ms" attach partition "request_log_of_cost_ms_{part}";
drop index if exists "request_log_by_system_create_time";
drop index concurrently if exists "shop_event_of_type";
create index concurrently "shop_event_of_type" on "shop_event" (tenant_id, type, occur_time, id);
drop index concurrently if exists "shop_event_of_level";
create index concurrently "shop_event_of_level" on "shop_event" (tenant_id, level, occur_time, id);
drop index concurrently if exists "shop_event_of_status";
create index concurrently "shop_event_of_status" on "shop_event" (tenant_id, status, occur_time, id);
drop index concurrently if exists "shop_event_of_count";
create index concurrently "shop_event_of_count" on "shop_event" (tenant_id, count, occur_time, id);
drop index concurrently if exists "shop_event_of_last_time";
create index concurrently "shop_event_of_last_time" on "shop_event" (tenant_id, last_time, occur_time, id);
drop index concurrently if exists "shop_event_of_device_id";
create index concurrently "shop_event_of_device_id" on "shop_event" (tenant_id, device_id, occur_time, id);
drop index concurrently if exists "shop_event_by_status";
drop index concurrently if exists "shop_event_by_type";
create index if not exists "shopping_order_of_status" on only "shopping_order" (tenant_id, status, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_status"
drop index concurrently if exists "shopping_order_of_status_{part}";
-- each part of "shopping_order" without "shopping_order_of_status"
create index concurrently "shopping_order_of_status_{part}" on "shopping_order_{part}" (tenant_id, status, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_status"
alter index "shopping_order_of_status" attach partition "shopping_order_of_status_{part}";
create index if not exists "shopping_order_of_source" on only "shopping_order" (tenant_id, source, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_source"
drop index concurrently if exists "shopping_order_of_source_{part}";
-- each part of "shopping_order" without "shopping_order_of_source"
create index concurrently "shopping_order_of_source_{part}" on "shopping_order_{part}" (tenant_id, source, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_source"
alter index "shopping_order_of_source" attach partition "shopping_order_of_source_{part}";
create index if not exists "shopping_order_of_type" on only "shopping_order" (tenant_id, type, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_type"
drop index concurrently if exists "shopping_order_of_type_{part}";
-- each part of "shopping_order" without "shopping_order_of_type"
create index concurrently "shopping_order_of_type_{part}" on "shopping_order_{part}" (tenant_id, type, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_type"
alter index "shopping_order_of_type" attach partition "shopping_order_of_type_{part}";
create index if not exists "shopping_order_of_quantity" on only "shopping_order" (tenant_id, quantity, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_quantity"
drop index concurrently if exists "shopping_order_of_quantity_{part}";
-- each part of "shopping_order" without "shopping_order_of_quantity"
create index concurrently "shopping_order_of_quantity_{part}" on "shopping_order_{part}" (tenant_id, quantity, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_quantity"
alter index "shopping_order_of_quantity" attach partition "shopping_order_of_quantity_{part}";
create index if not exists "shopping_order_of_pay_amount" on only "shopping_order" (tenant_id, pay_amount, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_pay_amount"
drop index concurrently if exists "shopping_order_of_pay_amount_{part}";
-- each part of "shopping_order" without "shopping_order_of_pay_amount"
create index concurrently "shopping_order_of_pay_amount_{part}" on "shopping_order_{part}" (tenant_id, pay_amount, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_pay_amount"
alter index "shopping_order_of_pay_amount" attach partition "shopping_order_of_pay_amount_{part}";
create index if not exists "shopping_order_of_refund_amount" on only "shopping_order" (tenant_id, refund_amount, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_refund_amount"
drop index concurrently if exists "shopping_order_of_refund_amount_{part}";
-- each part of "shopping_order" without "shopping_order_of_refund_amount"
create index concurrently "shopping_order_of_refund_amount_{part}" on "shopping_order_{part}" (tenant_id, refund_amount, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_refund_amount"
alter index "shopping_order_of_refund_amount" attach partition "shopping_order_of_refund_amount_{part}";
create index if not exists "shopping_order_of_pay_type" on only "shopping_order" (tenant_id, pay_type, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_pay_type"
drop index concurrently if exists "shopping_order_of_pay_type_{part}";
-- each part of "shopping_order" without "shopping_order_of_pay_type"
create index concurrently "shopping_order_of_pay_type_{part}" on "shopping_order_{part}" (tenant_id, pay_type, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_pay_type"
alter index "shopping_order_of_pay_type" attach partition "shopping_order_of_pay_type_{part}";
create index if not exists "shopping_order_of_sale_no" on only "shopping_order" (tenant_id, sale_no, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_sale_no"
drop index concurrently if exists "shopping_order_of_sale_no_{part}";
-- each part of "shopping_order" without "shopping_order_of_sale_no"
create index concurrently "shopping_order_of_sale_no_{part}" on "shopping_order_{part}" (tenant_id, sale_no, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_sale_no"
alter index "shopping_order_of_sale_no" attach partition "shopping_order_of_sale_no_{part}";
create index if not exists "shopping_order_of_visit_id" on only "shopping_order" (tenant_id, visit_id, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_visit_id"
drop index concurrently if exists "shopping_order_of_visit_id_{part}";
-- each part of "shopping_order" without "shopping_order_of_visit_id"
create index concurrently "shopping_order_of_visit_id_{part}" on "shopping_order_{part}" (tenant_id, visit_id, create_time, id);
-- each part of "shopping_order" without "shopping_order_of_visit_id"
alter index "shopping_order_of_visit_id" attach partition "shopping_order_of_visit_id_{part}";
create index if not exists "shopping_order_detail_of_upc" on only "shopping_order_detail" (tenant_id, upc, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_upc"
drop index concurrently if exists "shopping_order_detail_of_upc_{part}";
-- each part of "shopping_order_detail" without "shopping_order_detail_of_upc"
create index concurrently "shopping_order_detail_of_upc_{part}" on "shopping_order_detail_{part}" (tenant_id, upc, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_upc"
alter index "shopping_order_detail_of_upc" attach partition "shopping_order_detail_of_upc_{part}";
create index if not exists "shopping_order_detail_of_price" on only "shopping_order_detail" (tenant_id, price, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_price"
drop index concurrently if exists "shopping_order_detail_of_price_{part}";
-- each part of "shopping_order_detail" without "shopping_order_detail_of_price"
create index concurrently "shopping_order_detail_of_price_{part}" on "shopping_order_detail_{part}" (tenant_id, price, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_price"
alter index "shopping_order_detail_of_price" attach partition "shopping_order_detail_of_price_{part}";
create index if not exists "shopping_order_detail_of_quantity" on only "shopping_order_detail" (tenant_id, quantity, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_quantity"
drop index concurrently if exists "shopping_order_detail_of_quantity_{part}";
-- each part of "shopping_order_detail" without "shopping_order_detail_of_quantity"
create index concurrently "shopping_order_detail_of_quantity_{part}" on "shopping_order_detail_{part}" (tenant_id, quantity, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_quantity"
alter index "shopping_order_detail_of_quantity" attach partition "shopping_order_detail_of_quantity_{part}";
create index if not exists "shopping_order_detail_of_discount" on only "shopping_order_detail" (tenant_id, discount, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_discount"
drop index concurrently if exists "shopping_order_detail_of_discount_{part}";
-- each part of "shopping_order_detail" without "shopping_order_detail_of_discount"
create index concurrently "shopping_order_detail_of_discount_{part}" on "shopping_order_detail_{part}" (tenant_id, discount, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_discount"
alter index "shopping_order_detail_of_discount" attach partition "shopping_order_detail_of_discount_{part}";
create index if not exists "shopping_order_detail_of_amount" on only "shopping_order_detail" (tenant_id, amount, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_amount"
drop index concurrently if exists "shopping_order_detail_of_amount_{part}";
-- each part of "shopping_order_detail" without "shopping_order_detail_of_amount"
create index concurrently "shopping_order_detail_of_amount_{part}" on "shopping_order_detail_{part}" (tenant_id, amount, create_time, id);
-- each part of "shopping_order_detail" without "shopping_order_detail_of_amount"
alter index "shopping_order_detail_of_amount" attach partition "shopping_order_detail_of_amount_{part}";
drop index concurrently if exists "storage_batch_of_upc";
create index concurrently "storage_batch_of_upc" on "storage_batch" (tenant_id, upc, create_time, id);
drop index concurrently if exists "storage_batch_of_quantity";
create index concurrently "storage_batch_of_quantity" on "storage_batch" (tenant_id, quantity, create_time, id);
drop index concurrently if exists "storage_batch_of_remaining";
create index concurrently "storage_batch_of_remaining" on "storage_batch" (tenant_id, remaining, create_time, id);
drop index concurrently if exists "storage_batch_of_cost_price";
create index concurrently "storage_batch_of_cost_price" on "storage_batch" (tenant_id, cost_price, create_time, id);
drop index concurrently if exists "storage_batch_of_production_date";
create index concurrently "storage_batch_of_production_date" on "storage_batch" (tenant_id, production_date, create_time, id);
drop index concurrently if exists "storage_batch_of_supplier_id";
create index concurrently "storage_batch_of_supplier_id" on "storage_batch" (tenant_id, supplier_id, create_time, id);
create index if not exists "storage_log_of_upc" on only "storage_log" (tenant_id, upc, create_time, id);
-- each part of "storage_log" without "storage_log_of_upc"
drop index concurrently if exists "storage_log_of_upc_{part}";
-- each part of "storage_log" without "storage_log_of_upc"
create index concurrently "storage_log_of_upc_{part}" on "storage_log_{part}" (tenant_id, upc, create_time, id);
-- each part of "storage_log" without "storage_log_of_upc"
alter index "storage_log_of_upc" attach partition "storage_log_of_upc_{part}";
create index if not exists "storage_log_of_type" on only "storage_log" (tenant_id, type, create_time, id);
-- each part of "storage_log" without "storage_log_of_type"
drop index concurrently if exists "storage_log_of_type_{part}";
-- each part of "storage_log" without "storage_log_of_type"
create index concurrently "storage_log_of_type_{part}" on "storage_log_{part}" (tenant_id, type, create_time, id);
-- each part of "storage_log" without "storage_log_of_type"
alter index "storage_log_of_type" attach partition "storage_log_of_type_{part}";
create index if not exists "storage_log_of_change" on only "storage_log" (tenant_id, change, create_time, id);
-- each part of "storage_log" without "storage_log_of_change"
drop index concurrently if exists "storage_log_of_change_{part}";
-- each part of "storage_log" without "storage_log_of_change"
create index concurrently "storage_log_of_change_{part}" on "storage_log_{part}" (tenant_id, change, create_time, id);
-- each part of "storage_log" without "storage_log_of_change"
alter index "storage_log_of_change" attach partition "storage_log_of_change_{part}";
create index if not exists "storage_log_of_ref_type" on only "storage_log" (tenant_id, ref_type, create_time, id);
-- each part of "storage_log" without "storage_log_of_ref_type"
drop index concurrently if exists "storage_log_of_ref_type_{part}";
-- each part of "storage_log" without "storage_log_of_ref_type"
create index concurrently "storage_log_of_ref_type_{part}" on "storage_log_{part}" (tenant_id, ref_type, create_time, id);
-- each part of "storage_log" without "storage_log_of_ref_type"
alter index "storage_log_of_ref_type" attach partition "storage_log_of_ref_type_{part}";
drop index concurrently if exists "wx_user_of_balance";
create index concurrently "wx_user_of_balance" on "wx_user" (tenant_id, balance, create_time, id);
drop index concurrently if exists "wx_user_of_integral";
create index concurrently "wx_user_of_integral" on "wx_user" (tenant_id, integral, create_time, id);
drop index concurrently if exists "wx_user_of_vip_level";
create index concurrently "wx_user_of_vip_level" on "wx_user" (tenant_id, vip_level, create_time, id);
drop index concurrently if exists "wx_user_of_total_spent";
create index concurrently "wx_user_of_total_spent" on "wx_user" (tenant_id, total_spent, create_time, id);
drop index concurrently if exists "wx_user_of_order_count";
create index concurrently "wx_user_of_order_count" on "wx_user" (tenant_id, order_count, create_time, id);
