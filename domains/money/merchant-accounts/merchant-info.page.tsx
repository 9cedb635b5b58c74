import { useNavigate } from 'react-router'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { merchantInfo } from './merchant-info.resource.ts'
import { payApply } from './pay-apply.resource.ts'
import { ReceiversCell, ReceiversInput } from './receivers.web.tsx'

const words = {
  intro: {
    zh: '门店的钱归谁：收款账户、手续费和分账上限',
    en: 'Who receives the money of the stores: account, fees and profit-sharing limit',
  },
  applications: { zh: '进件申请', en: 'Onboarding' },
  bills: { zh: '账单', en: 'Settlement bills' },
}

/** List of merchants with links to their bills and applications. */
export default function MerchantInfoPage() {
  const navigate = useNavigate()
  const paths = { bills: useResourcePath('bill'), applications: useResourcePath(payApply.name) }
  return (
    <ResourcePage
      resource={merchantInfo}
      page={{
        intro: words.intro,
        inputs: { receivers: ReceiversInput },
        cells: { receivers: ReceiversCell },
        formWidth: 860,
        rowActions: (row) => [
          ...(paths.bills
            ? [
                {
                  key: 'bills',
                  label: words.bills,
                  icon: 'account-book' as const,
                  run: () => void navigate(`${paths.bills}?merchantId=${String(row.id)}`),
                },
              ]
            : []),
          ...(paths.applications
            ? [
                {
                  key: 'applications',
                  label: words.applications,
                  icon: 'solution' as const,
                  run: () => void navigate(`/pay/payApply/${String(row.id)}`),
                },
              ]
            : []),
        ],
      }}
    />
  )
}
