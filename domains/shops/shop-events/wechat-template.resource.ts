import { defineResource, enabledField, f, remarkField, objectSchema, rowIdSchema } from '#kit/resource/index.ts'

const where = { zh: '发送', en: 'Sending' }
const what = { zh: '模板字段', en: 'Template fields' }
const field = {
  max: 24,
  group: what,
  pattern: '^[a-z][a-z_]{0,19}\\d{0,2}$',
  patternWords: {
    zh: '填微信模板里的字段名，如 thing1',
    en: 'Enter a field name of the WeChat template, for example, thing1',
  },
  width: 110,
}

/** WeChat template of a kind of notification, and which of its fields contains what. */
export const wechatTemplate = defineResource({
  name: 'wechatTemplate',
  path: '/api/shop/wechatTemplate',
  label: { zh: '微信通知模板', en: 'WeChat message template' },
  tenancy: 'tenant',
  menu: { under: 'resource', path: '/resource/wechatTemplate', icon: 'form', sort: 9 },
  title: 'notice',
  fields: {
    notice: f.dict('notice_template', {
      label: { zh: '通知类别', en: 'Notification category' },
      required: true,
      default: 'event',
      search: 'eq',
      group: where,
      help: {
        zh: '同一类别有几个在用时，用最早建立的那个',
        en: 'If several are active for a category, the oldest one is used',
      },
      width: 110,
    }),
    wechatAppId: f.ref('wechatApp', {
      onRemoval: 'refuse',
      label: { zh: '微信应用', en: 'WeChat app' },
      labelKey: 'wechatAppName',
      required: true,
      group: where,
      width: 150,
    }),
    templateNo: f.text({
      label: { zh: '模板编号', en: 'Template ID' },
      required: true,
      max: 64,
      pattern: '^[\\w-]{10,64}$',
      patternWords: { zh: '从微信后台复制模板编号', en: 'Copy the template ID from the WeChat back office' },
      sample: 'tpl_Event_0000000000000000000000000000000001',
      group: where,
      width: 190,
    }),
    target: f.text({
      label: { zh: '点开后进入', en: 'Opens' },
      max: 255,
      group: where,
      help: {
        zh: '小程序填页面路径，公众号填网址；留空则点开不跳转',
        en: 'A mini program page path or an official account URL. Leave blank to open nothing.',
      },
    }),
    contentField: f.text({
      label: { zh: '通知内容填入', en: 'Content field' },
      required: true,
      sample: 'thing2',
      ...field,
    }),
    shopField: f.text({ label: { zh: '门店名称填入', en: 'Store name field' }, sample: 'thing1', ...field }),
    kindField: f.text({ label: { zh: '事件类型填入', en: 'Event type field' }, sample: 'phrase4', ...field }),
    timeField: f.text({
      label: { zh: '发生时间填入', en: 'Time field' },
      sample: 'time3',
      ...field,
      help: {
        zh: '字段名见微信后台的模板详情，如 {{thing1.DATA}} 填 thing1',
        en: 'See the template details in the WeChat back office. For {{thing1.DATA}} enter thing1.',
      },
    }),
    enabled: enabledField({ group: where }),
    remark: remarkField(),
  },
  list: {
    inline: ['enabled'],
    columns: ['notice', 'wechatAppId', 'enabled', 'templateNo', 'contentField', 'shopField', 'timeField', 'kindField'],
    time: false,
  },
  row: { title: 'notice', sub: ['wechatAppId'], state: 'enabled' },
  unique: [['notice', 'templateNo']],
  buttons: { import: false },
  actions: {
    test: {
      on: 'row',
      label: { zh: '发送测试', en: 'Send test' },
      done: { zh: '已提交，结果见“微信消息”', en: 'Submitted. See “WeChat messages” for the result.' },
      icon: 'send',
      enabled: { enabled: { eq: true } },
      input: {
        openid: f.text({
          label: { zh: '接收人 OpenID', en: 'Recipient OpenID' },
          required: true,
          max: 64,
          pattern: '^[\\w-]{6,64}$',
          patternWords: {
            zh: '{label}应为 6 至 64 位字母、数字、下划线或连字符',
            en: '{label} must have 6 to 64 letters, digits, underscores or dashes',
          },
          help: { zh: '在“店主微信”里可以查到', en: 'Shown under “Owner WeChat accounts”' },
        }),
      },
      answer: objectSchema({ id: rowIdSchema }),
    },
  },
})
