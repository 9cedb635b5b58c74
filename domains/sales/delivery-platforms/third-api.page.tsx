import { createResourcePage } from '#kit/web/page/page.tsx'
import { thirdApi } from './third-api.resource.ts'

export default createResourcePage(thirdApi, {
  intro: {
    zh: '租户在外卖平台、微信等开放平台的应用凭证；密钥加密保存',
    en: 'Application credentials of the tenant at delivery platforms, WeChat and others. Secrets are stored encrypted.',
  },
})
