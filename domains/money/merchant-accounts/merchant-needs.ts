import { defineTodo } from '#kit/server/module/module.ts'
import { APPLY_STATE } from './dictionaries.ts'
import { payApply } from './pay-apply.resource.ts'

/** Days before expiry: enough to renew a document and have it reviewed. */
const RENEW_DAYS = 60

/** To-do items about merchants. */
export const merchantTodos = [
  defineTodo(payApply, {
    key: 'licenceEnds',
    label: { zh: '商户执照将到期', en: 'Merchant licenses expiring' },
    query: ({ daysAgo }) => ({ status: APPLY_STATE.finished, licenseEnd_datele: daysAgo(-RENEW_DAYS) }),
    line: { title: 'merchantShortname', time: 'licenseEnd', due: true },
    order: { ascs: 'licenseEnd' },
    icon: 'solution',
    tone: 'warn',
  }),
  defineTodo(payApply, {
    key: 'identityCardEnds',
    label: { zh: '法人身份证将到期', en: 'Legal representative IDs expiring' },
    query: ({ daysAgo }) => ({ status: APPLY_STATE.finished, idCardEnd_datele: daysAgo(-RENEW_DAYS) }),
    line: { title: 'merchantShortname', time: 'idCardEnd', due: true },
    order: { ascs: 'idCardEnd' },
    icon: 'solution',
    tone: 'warn',
  }),
  defineTodo(payApply, {
    key: 'applicationRefused',
    label: { zh: '被驳回的进件', en: 'Rejected onboarding applications' },
    query: () => ({ status: APPLY_STATE.rejected }),
    line: { title: 'merchantShortname', notes: ['stateMsg'], time: 'updateTime' },
    can: 'payApply_edit',
    icon: 'solution',
    tone: 'bad',
  }),
]
