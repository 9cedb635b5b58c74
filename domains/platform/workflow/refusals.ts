import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  flow_no_xml: { zh: '流程图无法读取：{reason}', en: 'The diagram could not be read: {reason}' },
  flow_faults: {
    zh: '流程文件有 {count} 处问题：{faults}',
    en: 'The process file has {count} {count|problem|problems}: {faults}',
  },
  flow_file_refused: { zh: '文件“{name}”：{why}', en: 'File “{name}”: {why}' },
  flow_no_process: { zh: '流程图中没有流程', en: 'The diagram contains no process' },
  flow_many_processes: {
    zh: '流程图中有多个流程，请分开部署',
    en: 'The diagram contains several processes. Deploy them separately.',
  },
  flow_no_key: { zh: '流程没有标识（id）', en: 'The process has no ID' },
  flow_too_big: { zh: '流程图过大（最多 {max}）', en: 'The diagram is too large (maximum {max})' },
  flow_start_once: { zh: '流程要有且只有一个开始节点', en: 'A process must have exactly one start event' },
  flow_cannot: { zh: '“{node}”是不支持的元素（{what}）', en: '“{node}” is an unsupported element ({what})' },
  flow_to_nowhere: { zh: '“{node}”没有后续连线', en: '“{node}” has no outgoing connection' },
  flow_from_nowhere: { zh: '没有连线通到“{node}”', en: '“{node}” has no incoming connection.' },
  flow_end_goes_on: { zh: '“{node}”之后不能再有连线', en: '“{node}” cannot have outgoing connections' },
  flow_start_entered: { zh: '“{node}”之前不能有连线', en: '“{node}” cannot have incoming connections' },
  flow_loose_line: { zh: '连线“{node}”缺少起点或终点', en: 'Connection “{node}” has no start or end' },
  flow_double: { zh: '标识“{node}”重复', en: 'ID “{node}” is used twice' },
  flow_no_condition: {
    zh: '连线“{node}”没有条件，也不是默认连线',
    en: 'Connection “{node}” has no condition and is not the default',
  },
  flow_default_wrong: {
    zh: '“{node}”的默认连线不是它的后续连线',
    en: 'The default connection of “{node}” is not one of its outgoing connections',
  },
  flow_condition_stray: {
    zh: '连线“{node}”的条件不能放在并行网关之后',
    en: 'Connection “{node}” cannot have a condition after a parallel gateway',
  },
  flow_inclusive_cycle: {
    zh: '包容汇聚“{node}”不能处在循环中',
    en: 'Inclusive join “{node}” cannot be inside a loop',
  },
  flow_no_time: { zh: '“{node}”的时间格式不对', en: 'The time of “{node}” is not valid' },
  flow_no_host: { zh: '“{node}”没有附着在人工任务上', en: '“{node}” is not attached to a user task' },
  flow_no_list: {
    zh: '会签“{node}”没有人员集合或人数',
    en: 'Multi-approval “{node}” has no collection or number of approvers',
  },
  flow_bad_expression: {
    zh: '“{node}”的表达式无法使用：{text}（{why}）',
    en: 'The expression of “{node}” cannot be used: {text} ({why})',
  },
  flow_never_set: {
    zh: '“{node}”用到了从未赋值的变量 {name}，什么都没改',
    en: '“{node}” uses variable {name}, which was never set. Nothing was changed.',
  },
  flow_wrong_value: {
    zh: '“{node}”的表达式得不到可用的值：{text}，什么都没改',
    en: 'The expression of “{node}” returns no usable value: {text}. Nothing was changed.',
  },
  flow_no_way: {
    zh: '“{node}”之后没有一条连线满足条件，什么都没改',
    en: 'No connection after “{node}” meets its condition. Nothing was changed.',
  },
  flow_for_nobody: {
    zh: '任务“{node}”没有处理人，什么都没改',
    en: 'Task “{node}” has no assignee. Nothing was changed.',
  },
  flow_task_for_nobody: {
    zh: '任务“{node}”没有写明办理人，未部署',
    en: 'Task “{node}” does not specify an assignee. It was not deployed.',
  },
  flow_person_unknown: {
    zh: '任务“{node}”写明的人员不存在，未部署',
    en: 'Task “{node}” names a person who does not exist. It was not deployed.',
  },
  flow_roles_empty: {
    zh: '任务“{node}”的候选角色 {roles} 目前没有人持有，走到这里会停住',
    en: 'No one has the candidate roles {roles} of task “{node}”. The process cannot continue past it.',
  },
  flow_nobody_to_claim: {
    zh: '任务“{node}”没有人可以签收：候选人员已停用，或候选角色没有人持有；什么都没改',
    en: 'No one can claim task “{node}”. Its candidates are inactive or no one has its roles. Nothing was changed.',
  },
  flow_no_encoding: {
    zh: '流程文件不是按 {encoding} 编码的，请另存为 UTF-8 后再上传',
    en: 'The process file is not encoded as {encoding}. Save it as UTF-8 and upload it again.',
  },
  flow_endless: {
    zh: '流程在“{node}”处循环不止，什么都没改',
    en: 'The process loops endlessly at “{node}”. Nothing was changed.',
  },
  flow_stuck: {
    zh: '流程会停在“{node}”且没人能继续，什么都没改',
    en: 'The process would stop at “{node}” and no one could continue it. Nothing was changed.',
  },
  flow_task_gone: { status: 409, zh: '任务已被处理', en: 'The task was already completed' },
  flow_task_claimed: { status: 409, zh: '任务已被他人签收', en: 'The task was claimed by someone else' },
  flow_task_unclaimed: { status: 403, zh: '请先签收这个任务', en: 'Claim the task first' },
  flow_waits_for_added: { zh: '加签的人还没有办理', en: 'The added approvers have not completed their review yet' },
  flow_to_oneself: { zh: '不能选择自己', en: 'Select someone other than yourself' },
  flow_no_person: { zh: '请选择人员', en: 'Select a person' },
  flow_lent_already: { zh: '任务是别人委派给您的，请先处理', en: 'This task was delegated to you. Complete it first.' },
  flow_too_many_added: { zh: '一次最多 {max} 人', en: 'You can select up to {max} {max|person|people} at a time' },
  flow_no_countersign: {
    zh: '“{node}”不是按人员会签，不能加减人',
    en: '“{node}” is not a multi-approval by people. Approvers cannot be added or removed.',
  },
  flow_signs_already: { zh: '这个人已在会签中', en: 'This person is already an approver' },
  flow_not_added_by_you: { status: 403, zh: '只能减去自己加的人', en: 'You can only remove approvers you added' },
  flow_no_return: { zh: '不能退回到这个节点', en: 'The task cannot be returned to this step' },
  flow_escalates_to_nobody: {
    zh: '“{node}”到期转交给谁没有写明',
    en: '“{node}” does not say who takes over when it is due',
  },
  flow_instance_suspended: {
    status: 409,
    zh: '流程已挂起，恢复后再办理',
    en: 'The process is suspended. Resume it to continue.',
  },
  flow_without_state: {
    status: 409,
    zh: '流程“{name}”没有记录运行位置，不能继续，请重新发起',
    en: 'Process “{name}” has no recorded step and cannot continue. Start it again.',
  },
  flow_not_suspended: { zh: '流程没有挂起', en: 'The process is not suspended' },
  flow_urged_lately: { zh: '一小时内已经催过了', en: 'A reminder was already sent within the last hour.' },
  flow_not_started_by_you: { status: 403, zh: '只有发起人可以撤回', en: 'Only the initiator can withdraw it' },
  flow_cannot_move: {
    zh: '“{name}”正在“{node}”，新版本中没有对应的节点',
    en: '“{name}” is at “{node}”, which the new version does not have',
  },
  flow_other_process: {
    zh: '只能迁移到同一流程的其他版本',
    en: 'You can only migrate to another version of the same process',
  },
  flow_stands_in_for_itself: { zh: '不能代理给自己', en: 'You cannot delegate to yourself. Choose someone else.' },
  flow_not_yours: { status: 403, zh: '这不是您的任务', en: 'This is not your task' },
  flow_suspended: { zh: '流程“{name}”已挂起', en: 'Process “{name}” is suspended' },
  flow_runs_elsewhere: {
    zh: '“{name}”在其他租户中仍有运行中的流程，请先挂起',
    en: '“{name}” still has running processes in other tenants. Suspend it first.',
  },
  flow_unknown_person: {
    zh: '任务“{node}”的办理人不存在，什么都没改',
    en: 'The assignee of task “{node}” does not exist. Nothing was changed.',
  },
  flow_bad_category: { zh: '没有这个流程类型', en: 'Unknown process category' },
  flow_no_file: { zh: '请选择流程文件', en: 'Select a process file' },
  flow_bad_form: {
    zh: '表单“{field}”不完整或名称重复',
    en: 'Form field “{field}” is incomplete or its name is used twice',
  },
  flow_no_form: { zh: '这个流程没有申请表单', en: 'This process has no request form' },
  flow_rule_nobody: { zh: '请选择审批人、审批角色或流程', en: 'Select approvers, approver roles or a process' },
  flow_rule_only_reads: {
    zh: '“{name}”只查询或导出数据，不能设为需审批的操作；请改用角色权限控制',
    en: '“{name}” only reads or exports data and cannot require approval. Use role permissions instead.',
  },
  flow_bad_condition: { zh: '条件无法使用：{text}', en: 'The condition cannot be used: {text}' },
  flow_unknown_name: {
    zh: '条件中的“{name}”不存在，请核对字段名',
    en: '“{name}” in the condition does not exist. Check the field name.',
  },
  flow_no_decider: {
    zh: '规则“{name}”没有能审批的人，提交人不能审批自己的变更',
    en: 'Rule “{name}” has no eligible approver. Requesters cannot approve their own changes.',
  },
  flow_not_by_file: {
    status: 409,
    zh: '这个操作需要审批（{name}），不能通过上传文件完成，请在页面上操作',
    en: 'This action requires approval ({name}) and cannot be done by uploading a file. Do it on the page.',
  },
  flow_own_change: { status: 403, zh: '不能审批自己提交的变更', en: 'You cannot approve your own change request.' },
  flow_away_own: {
    zh: '只能设自己的代理，别人的由管理员设置',
    en: 'You can only set your own delegation. Ask an administrator to set it for others.',
    status: 403,
  },
  flow_leave_times: { zh: '结束时间要晚于开始时间', en: 'The end must be after the start' },
  flow_bad_variable: { zh: '变量名“{name}”不能使用', en: 'Variable name “{name}” cannot be used' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
