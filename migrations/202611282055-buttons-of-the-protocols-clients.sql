-- Buttons of the protocol's clients go to who holds the page or the call they stand for, and to who was given such a
-- button by hand. Their rows are seeded after this, under the same ids.
create temporary table button (code text primary key, id bigint, held text) on commit drop;
insert into button (code, id, held) values
  ('flow_model_create', 3134802505555598, 'flow_model_add'),
  ('flow_model_update', 4204301058146613, 'flow_model_edit'),
  ('flow_model_download', 3271839998095522, 'flow_model_view'),
  ('flow_manager_image', 2272581015562575, 'flow_manager'),
  ('flow_deploy', 3585983522473874, 'flow_model_deploy'),
  ('work_start_flow', 3508084119302393, 'work_start'),
  ('work_start_image', 2974705898803504, 'work_start'),
  ('work_claim_sign', 2538045551538386, 'work_claim'),
  ('work_claim_detail', 4369616395592175, 'work_claim'),
  ('work_claim_follow', 3439799725716064, 'work_claim'),
  ('work_todo_handle', 3630522556588279, 'work_todo'),
  ('work_todo_detail', 3502948769349966, 'work_todo'),
  ('work_todo_follow', 3020046738501386, 'work_todo'),
  ('work_send_detail', 3904165403014223, 'work_send'),
  ('work_send_follow', 2630867154619981, 'work_send'),
  ('work_done_detail', 2825716384707272, 'work_done'),
  ('work_done_follow', 3491227410359813, 'work_done'),
  ('region_view', 3366433592039783, 'region');
insert into role_menu (tenant_id, role_id, menu_id)
select distinct g.tenant_id, g.role_id, b.id from button b
join menu m on m.is_deleted = 0 and m.code in (b.held, b.code)
join role_menu g on g.menu_id = m.id
on conflict do nothing;

-- A package allows the buttons of its pages by itself, and the new page where it has that of the models.
-- locks: the few packages there are
update tenant_package p set menu_id = p.menu_id || b.id from button b, menu m
where b.code = 'flow_deploy' and m.code = 'flow_model' and m.is_deleted = 0
  and m.id = any(p.menu_id) and not b.id = any(p.menu_id);
insert into top_menu_setting (tenant_id, top_menu_id, menu_id)
select t.tenant_id, t.top_menu_id, b.id from button b
join menu m on m.code = 'flow_model' and m.is_deleted = 0
join top_menu_setting t on t.menu_id = m.id
where b.code = 'flow_deploy' on conflict do nothing;
