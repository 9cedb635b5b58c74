import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { createTenantPage } from '#kit/web/page/for-tenant.tsx'
import { aiApp } from './ai-app.resource.ts'

const words = {
  intro: {
    zh: 'Dify 平台上的工作流应用：地址、密钥和价格；任务以工作流编码指定它',
    en: 'Workflow apps on the Dify platform with address, key and price. Tasks reference them by workflow code.',
  },
  what: { zh: '应用', en: 'App' },
  access: { zh: '接入', en: 'Access' },
  more: { zh: '费用与备注', en: 'Cost and note' },
}

const layout: FormLayoutOf<typeof aiApp> = [
  { title: words.what, fields: ['tenantId', 'name', 'workflow', 'enabled'] },
  { title: words.access, fields: ['endpoint', 'apiKey'] },
  { title: words.more, fields: ['pricePerMillion', 'remark'] },
]

export default createTenantPage(aiApp, { intro: words.intro, formLayout: layout })
