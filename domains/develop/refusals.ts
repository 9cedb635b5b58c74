import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  source_inside: {
    zh: '主机 {host} 位于内部网络，不能作为数据源；如需使用，请服务器管理员开放该网段',
    en: 'The host {host} lies inside the network and cannot be a data source unless the operator opens its network',
  },
  source_address: {
    zh: '连接地址无法识别，请填写 jdbc:mysql://主机:端口/库名 或 jdbc:postgresql://主机:端口/库名',
    en: 'The address is none we can read: write jdbc:mysql://host:port/name or jdbc:postgresql://host:port/name',
  },
  source_port: {
    zh: '端口 {port} 未开放，可用端口：{ports}',
    en: 'Port {port} is not open to data sources; these are: {ports}',
  },
  source_password: {
    zh: '主机、端口、库名、账号或 TLS 改变后，请重新输入密码',
    en: 'At another place, or under another account, type the password again',
  },
  source_unreachable: {
    zh: '数据源“{name}”连接不上，请检查主机和端口',
    en: 'The data source "{name}" cannot be reached; check its host and port',
  },
  source_timeout: {
    zh: '数据源“{name}”没有在时限内回答',
    en: 'The data source "{name}" did not answer in time',
  },
  source_refused: {
    zh: '数据源“{name}”拒绝了连接，请检查账号、密码和库名（{code}）',
    en: 'The data source "{name}" refused; check account, password and database ({code})',
  },
  source_too_much: {
    zh: '数据源“{name}”返回的内容过大，已中断',
    en: 'The data source "{name}" answers with more than is taken; it was cut off',
  },
  source_busy: {
    zh: '数据源“{name}”正在读取中，请稍后再试',
    en: 'The data source "{name}" is being read already; try again shortly',
  },
  source_not_yours: {
    zh: '只能使用分配给本租户的数据源',
    en: 'Only the data source given to your tenant may be used',
  },
  table_unknown: { zh: '未获得相关表信息', en: 'There is no such table', status: 404 },
  model_by_hand: {
    zh: '模型“{name}”没有选择数据源和数据表',
    en: 'The model "{name}" names no data source and table',
  },
  prototypes_list: {
    zh: '请求内容应为字段列表，且都属于一个模型',
    en: 'The body is a list of columns, all of one model',
  },
  prototype_refused: { zh: '第 {place} 个字段 {name}：{why}', en: 'Column {place}, {name}: {why}' },
  prototypes_many: { zh: '一个模型最多 {max} 个字段', en: 'A model has at most {max} columns' },
  code_many: { zh: '一次最多生成 {max} 个', en: 'At most {max} at a time' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
