import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  flow_no_xml: { zh: '流程图无法读取：{reason}', en: 'The diagram cannot be read: {reason}' },
  flow_faults: {
    zh: '流程文件有 {count} 处问题：{faults}',
    en: 'The process file has {count} {count|fault|faults}: {faults}',
  },
  flow_file_refused: { zh: '文件“{name}”：{why}', en: 'The file "{name}": {why}' },
  flow_no_process: { zh: '流程图中没有流程', en: 'The diagram holds no process' },
  flow_many_processes: {
    zh: '流程图中有多个流程，请分开部署',
    en: 'The diagram holds several processes: deploy them one by one',
  },
  flow_no_key: { zh: '流程没有标识（id）', en: 'The process has no key (id)' },
  flow_too_big: { zh: '流程图过大（最多 {max}）', en: 'The diagram is too large (at most {max})' },
  flow_start_once: { zh: '流程须有且只有一个开始节点', en: 'A process has exactly one start' },
  flow_cannot: { zh: '“{node}”是不支持的元素（{what}）', en: '"{node}" is an element that cannot run ({what})' },
  flow_to_nowhere: { zh: '“{node}”没有后续连线', en: 'Nothing follows "{node}"' },
  flow_from_nowhere: { zh: '“{node}”没有连线到达', en: 'No way leads to "{node}"' },
  flow_end_goes_on: { zh: '“{node}”之后不能再有连线', en: 'Nothing may follow "{node}"' },
  flow_start_entered: { zh: '“{node}”之前不能有连线', en: 'Nothing may lead to "{node}"' },
  flow_loose_line: { zh: '连线“{node}”缺少起点或终点', en: 'The line "{node}" lacks an end' },
  flow_double: { zh: '标识“{node}”重复', en: 'The id "{node}" is there twice' },
  flow_no_condition: {
    zh: '连线“{node}”没有条件，也不是默认连线',
    en: 'The line "{node}" has no condition and is not the default',
  },
  flow_default_wrong: { zh: '“{node}”的默认连线不是它的后续连线', en: 'The default of "{node}" is none of its lines' },
  flow_condition_stray: {
    zh: '连线“{node}”的条件不能放在并行网关之后',
    en: 'The line "{node}" has a condition behind a parallel gateway, which takes all its ways',
  },
  flow_inclusive_cycle: {
    zh: '包容汇聚“{node}”不能处在循环中',
    en: 'The inclusive join "{node}" may not lie in a loop',
  },
  flow_no_time: { zh: '“{node}”的时间无法识别', en: 'The time of "{node}" cannot be understood' },
  flow_no_host: { zh: '“{node}”没有附着在人工任务上', en: '"{node}" is not attached to a user task' },
  flow_no_list: { zh: '会签“{node}”没有人员集合或人数', en: 'The countersign "{node}" has no collection or number' },
  flow_bad_expression: {
    zh: '“{node}”的表达式无法使用：{text}（{why}）',
    en: 'The expression of "{node}" cannot be used: {text} ({why})',
  },
  flow_never_set: {
    zh: '“{node}”用到了从未赋值的变量 {name}，未做任何更改',
    en: '"{node}" uses {name}, which was never set; nothing was changed',
  },
  flow_wrong_value: {
    zh: '“{node}”的表达式得不到可用的值：{text}，未做任何更改',
    en: 'The expression of "{node}" gives no usable value: {text}; nothing was changed',
  },
  flow_no_way: {
    zh: '“{node}”之后没有一条连线满足条件，未做任何更改',
    en: 'No line behind "{node}" fits; nothing was changed',
  },
  flow_for_nobody: {
    zh: '任务“{node}”没有办理人，未做任何更改',
    en: 'The task "{node}" is for nobody; nothing was changed',
  },
  flow_task_for_nobody: {
    zh: '任务“{node}”没有写明办理人，未部署',
    en: 'The task "{node}" does not say who it is for; nothing was deployed',
  },
  flow_person_unknown: {
    zh: '任务“{node}”写明的人员不存在，未部署',
    en: 'The task "{node}" is for somebody who does not exist; nothing was deployed',
  },
  flow_roles_empty: {
    zh: '任务“{node}”的候选角色 {roles} 目前无人持有，到该任务时无法继续',
    en: 'Nobody holds the roles the task "{node}" is for ({roles}): it cannot be reached until somebody does',
  },
  flow_nobody_to_claim: {
    zh: '任务“{node}”没有人可以签收：候选人员已停用，或候选角色无人持有；未做任何更改',
    en: 'Nobody could claim the task "{node}": its people are out of use or nobody has its roles; nothing was changed',
  },
  flow_no_encoding: {
    zh: '流程文件不是按 {encoding} 编码的，请另存为 UTF-8 后再上传',
    en: 'The process file cannot be read as {encoding}: save it as UTF-8 and upload it again',
  },
  flow_endless: {
    zh: '流程在“{node}”处循环不止，未做任何更改',
    en: 'The process runs in circles at "{node}"; nothing was changed',
  },
  flow_stuck: {
    zh: '流程会停在“{node}”且无人能继续，未做任何更改',
    en: 'The process would stand still at "{node}" for good; nothing was changed',
  },
  flow_task_gone: { status: 409, zh: '任务已被处理', en: 'The task was dealt with by somebody else' },
  flow_task_claimed: { status: 409, zh: '任务已被他人签收', en: 'Somebody else claimed the task' },
  flow_task_unclaimed: { status: 403, zh: '请先签收该任务', en: 'Claim the task first' },
  flow_waits_for_added: { zh: '加签的人还没有办理', en: 'Those you asked to sign before have not signed yet' },
  flow_to_oneself: { zh: '不能选择自己', en: 'Choose somebody else' },
  flow_no_person: { zh: '请选择人员', en: 'Choose somebody' },
  flow_lent_already: { zh: '任务已是委派来的，请先办理', en: 'The task was lent to you: give your word first' },
  flow_too_many_added: { zh: '一次最多 {max} 人', en: 'At most {max} people at a time' },
  flow_no_countersign: {
    zh: '“{node}”不是按人员会签，不能加减人',
    en: '"{node}" is no countersign by a list of people',
  },
  flow_signs_already: { zh: '该人员已在会签中', en: 'They sign already' },
  flow_not_added_by_you: { status: 403, zh: '只能减去自己加的人', en: 'Only those you added can be dropped by you' },
  flow_no_return: { zh: '不能退回到该节点', en: 'The task cannot be returned to there' },
  flow_escalates_to_nobody: {
    zh: '“{node}”到期转交给谁没有写明',
    en: '"{node}" does not say who is asked when it is due',
  },
  flow_instance_suspended: {
    status: 409,
    zh: '流程已挂起，恢复后再办理',
    en: 'The process is suspended: it goes on once it is resumed',
  },
  flow_without_state: {
    status: 409,
    zh: '流程“{name}”没有记录运行位置，不能继续，请重新发起',
    en: 'Where the process "{name}" stands is not known: it cannot go on, start it anew',
  },
  flow_not_suspended: { zh: '流程没有挂起', en: 'The process is not suspended' },
  flow_urged_lately: { zh: '一小时内已催办过', en: 'They were urged within the last hour' },
  flow_not_started_by_you: { status: 403, zh: '只有发起人可以撤回', en: 'Only who started it can withdraw it' },
  flow_cannot_move: {
    zh: '“{name}”正在“{node}”，新版本中没有对应的节点',
    en: '"{name}" stands at "{node}", which the other version does not have',
  },
  flow_other_process: { zh: '只能迁移到同一流程的其他版本', en: 'A process moves to another version of itself only' },
  flow_stands_in_for_itself: { zh: '代理人不能是本人', en: 'Nobody stands in for themselves' },
  flow_not_yours: { status: 403, zh: '这不是您的任务', en: 'This task is not yours' },
  flow_suspended: { zh: '流程“{name}”已挂起', en: 'The process "{name}" is suspended' },
  flow_runs_elsewhere: {
    zh: '“{name}”在其他租户中仍有运行中的流程，请先挂起',
    en: '"{name}" still runs for other tenants: suspend it for now',
  },
  flow_unknown_person: {
    zh: '任务“{node}”的办理人不存在，未做任何更改',
    en: 'The task "{node}" is for somebody who does not exist; nothing was changed',
  },
  flow_bad_category: { zh: '流程类型无法识别', en: 'There is no such process category' },
  flow_no_file: { zh: '请选择流程文件', en: 'Choose a process file' },
  flow_bad_form: { zh: '表单“{field}”不完整或名称重复', en: 'The form "{field}" is incomplete or named twice' },
  flow_no_form: { zh: '该流程没有申请表单', en: 'This process has no form to ask on' },
  flow_rule_nobody: { zh: '请选择审批人、审批角色或流程', en: 'Say who decides: people, roles or a process' },
  flow_rule_only_reads: {
    zh: '“{name}”只查询或导出数据，不能设为需审批的操作；请改用角色权限控制',
    en: '"{name}" only reads or exports, so it cannot wait for approval: use the permissions of roles instead',
  },
  flow_bad_condition: { zh: '条件无法使用：{text}', en: 'The condition cannot be used: {text}' },
  flow_unknown_name: {
    zh: '条件中的“{name}”不存在，请核对字段名',
    en: 'The condition asks for "{name}", which is not there: look at the names of the fields',
  },
  flow_no_decider: {
    zh: '规则“{name}”没有可以审批的人（不能审批自己提交的变更）',
    en: 'Nobody can decide by the rule "{name}" (nobody decides about their own change)',
  },
  flow_not_by_file: {
    status: 409,
    zh: '这个操作需要审批（{name}），不能通过上传文件完成，请在页面上操作',
    en: 'This needs consent ({name}) and cannot be done by a file: do it on its page',
  },
  flow_own_change: { status: 403, zh: '不能审批自己提交的变更', en: 'Nobody agrees to a change of their own' },
  flow_away_own: {
    zh: '只能为自己填写外出代理，他人的由管理员填写',
    en: 'Everybody says it for themselves; for others an administrator does',
    status: 403,
  },
  flow_leave_times: { zh: '结束时间必须晚于开始时间', en: 'A leave ends after it begins' },
  flow_bad_variable: { zh: '变量名“{name}”不能使用', en: 'The variable name "{name}" cannot be used' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
