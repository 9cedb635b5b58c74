import {
  defineResource,
  enabledField,
  f,
  allowPrivateNetworkField,
  nameField,
  remarkField,
  WEB_URL_FORMAT,
  DOTTED_IDENTIFIER_FORMAT,
} from '#kit/resource/index.ts'

/** A workflow of a Dify platform: an application there, with its own URL and key. Tasks refer to it by its code. */
export const aiApp = defineResource({
  name: 'aiApp',
  path: '/api/shop/aiApp',
  label: { zh: 'AI 应用', en: 'AI app' },
  tenancy: 'tenant',
  menu: { under: 'ai', path: '/ai/aiApp', icon: 'api', sort: 40 },
  title: 'name',
  titleCode: 'workflow',
  fields: {
    name: nameField({ required: true }),
    workflow: f.text({
      label: { zh: '工作流编码', en: 'Workflow code' },
      required: true,
      max: 100,
      ...DOTTED_IDENTIFIER_FORMAT,
      sample: 'shelf-check',
      search: 'eq',
      width: 140,
      help: { zh: '任务以此编码指定工作流', en: 'Tasks reference the workflow by this code' },
    }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'API address' },
      required: true,
      max: 255,
      ...WEB_URL_FORMAT,
      sample: 'https://api.dify.example.com/v1',
      width: 240,
      help: { zh: 'Dify 服务地址，通常以 /v1 结尾', en: 'Address of the Dify service, usually ending with /v1' },
    }),
    mayBeInside: allowPrivateNetworkField(),
    apiKey: f.password({
      label: { zh: 'API 密钥', en: 'API key' },
      required: true,
      max: 255,
      help: { zh: '这个应用的密钥，以 app- 开头', en: 'Key of this app, starts with app-' },
    }),
    pricePerMillion: f.money({
      label: { zh: '每百万词元价格', en: 'Price per million tokens' },
      default: '0.00',
      width: 130,
      help: { zh: '按此计算费用与预算', en: 'Used to calculate cost and budget' },
    }),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: { columns: ['name', 'workflow', 'endpoint', 'enabled', 'pricePerMillion', 'createTime'], time: false },
  unique: [['workflow'], ['name']],
  actions: {
    check: {
      on: 'row',
      label: { zh: '测试连接', en: 'Test connection' },
      done: { zh: '已连通：{title}', en: 'Connected: {title}' },
      icon: 'check-circle',
    },
  },
})
