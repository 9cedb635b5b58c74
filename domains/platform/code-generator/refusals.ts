import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  source_inside: {
    zh: '主机 {host} 位于内部网络，不能作为数据源；如需使用，请服务器管理员开放这个网段',
    en:
      'Host {host} is in a private network and cannot be a data source. Ask the server administrator to ' +
      'open this network.',
  },
  source_address: {
    zh: '连接地址格式不对，请填写 jdbc:mysql://主机:端口/库名 或 jdbc:postgresql://主机:端口/库名',
    en: 'The connection URL is not valid. Use jdbc:mysql://host:port/name or jdbc:postgresql://host:port/name.',
  },
  source_port: {
    zh: '端口 {port} 未开放，可用端口：{ports}',
    en: 'Port {port} is not open. Available ports: {ports}',
  },
  source_password: {
    zh: '主机、端口、库名、账号或 TLS 改变后，请重新输入密码',
    en: 'Enter the password again after changing host, port, database, account or TLS',
  },
  source_unreachable: {
    zh: '数据源“{name}”连接不上，请检查主机和端口',
    en: 'Data source “{name}” cannot be reached. Check its host and port.',
  },
  source_timeout: {
    zh: '数据源“{name}”没有在时限内回答',
    en: 'Data source “{name}” did not respond in time',
  },
  source_refused: {
    zh: '数据源“{name}”拒绝了连接，请检查账号、密码和库名（{code}）',
    en: 'Data source “{name}” refused the connection. Check account, password and database ({code}).',
  },
  source_too_much: {
    zh: '数据源“{name}”返回的内容过大，已中断',
    en: 'Data source “{name}” returned too much data. The query was canceled.',
  },
  source_busy: {
    zh: '数据源“{name}”正在读取中，请稍后再试',
    en: 'Data source “{name}” is already being read. Try again shortly.',
  },
  source_not_yours: {
    zh: '只能使用分配给本租户的数据源',
    en: 'You can only use the data source assigned to your tenant',
  },
  table_unknown: { zh: '未获得相关表信息', en: 'The table was not found', status: 404 },
  model_by_hand: {
    zh: '模型“{name}”没有选择数据源和数据表',
    en: 'Model “{name}” has no data source and table selected',
  },
  prototypes_list: {
    zh: '请求内容应为字段列表，且都属于一个模型',
    en: 'The request must be a list of fields that all belong to one model',
  },
  prototype_refused: { zh: '第 {place} 个字段 {name}：{why}', en: 'Field {place}, {name}: {why}' },
  prototypes_many: { zh: '一个模型最多 {max} 个字段', en: 'A model can have up to {max} {max|field|fields}' },
  code_many: { zh: '一次最多生成 {max} 个', en: 'You can generate up to {max} at a time' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
