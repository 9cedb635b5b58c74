import { createResourcePage } from '#kit/web/page/page.tsx'
import { param } from './param.resource.ts'

export default createResourcePage(param, {
  intro: { zh: '保存后立即生效，无需重启', en: 'Changes take effect immediately, without a restart' },
})
