import { Link } from 'react-router'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { reconciliationDay } from './reconciliation-day.resource.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'
import { words } from './reconciliation-words.ts'

/** Link beside an order to its payment trail, for people who may see it. */
export default function MoneyTrailLink({ orderId }: { orderId: string }) {
  const t = useLocalize()
  const [days, differences] = [useResourcePath(reconciliationDay.name), useResourcePath(reconciliationDifference.name)]
  if (!days && !differences) return null
  return (
    <p>
      <Link to={`/merchant/tallyWay/${orderId}`}>{t(words.way)}</Link>
    </p>
  )
}
