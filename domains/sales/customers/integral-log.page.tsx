import { createResourcePage } from '#kit/web/page/page.tsx'
import { integralLog } from './account-log.resource.ts'
import { createAccountLogPageParts } from './ledger-page.tsx'

const intro = {
  zh: '积分每一次变动的记录，只增不改；要更正请“调整积分”，会另记一行并写明原因',
  en:
    'Every points transaction. Entries are never changed. To correct points, use “Adjust points”, ' +
    'which adds an entry with its reason.',
}

export default createResourcePage(integralLog, createAccountLogPageParts(integralLog, intro))
