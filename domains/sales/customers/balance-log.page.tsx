import { createResourcePage } from '#kit/web/page/page.tsx'
import { balanceLog } from './account-log.resource.ts'
import { createAccountLogPageParts } from './ledger-page.tsx'

const intro = {
  zh: '余额每一次变动的记录，只增不改；要更正请“调整余额”，会另记一行并写明原因',
  en:
    'Every balance transaction. Entries are never changed. To correct a balance, use “Adjust ' +
    'balance”, which adds an entry with its reason.',
}

export default createResourcePage(balanceLog, createAccountLogPageParts(balanceLog, intro))
