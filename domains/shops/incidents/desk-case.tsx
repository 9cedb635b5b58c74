import { createElement } from 'react'
import { rowSidePanelSlot } from '#kit/web/detail/side-panel-slot.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { event } from '#domains/shops/shop-events/index.ts'
import { customerVisitLog } from '#domains/shops/visits/index.ts'
import { VisitTimeline } from '#domains/shops/visits/ui.ts'
import { words } from './desk-words.ts'
import { riskTone } from './desk-queue.tsx'
import { riskPartLabels } from './risk.ts'
import { ShopCameras } from './shop-cameras.tsx'
import { guardSidePanelSlot } from './slots.ts'
import type { CaseContext, DeskCase } from './use-desk.ts'

/** Details of a case: what it is, its risk, pictures and history. */
export function CaseFacts({ one, beside }: { one: DeskCase; beside: CaseContext | undefined }) {
  const t = useLocalize()
  const slots = useSlotContents(guardSidePanelSlot) ?? []
  const { id, shopId, eventId, visitId } = one

  return (
    <>
      <header className="guard-head" data-tone={riskTone(one.risk)}>
        <div>
          <h2>{one.kindName}</h2>
          <p>
            <RowLink to="basicShopInfo" id={shopId}>
              {one.shopName}
            </RowLink>
            <RelativeTime at={one.cameTime} full />
            {one.isUnattended && <span className="guard-flag">{t(words.unattended)}</span>}
            {one.isOffline && <span className="guard-flag guard-flag-bad">{t(words.offline)}</span>}
          </p>
          {one.content && <p className="guard-what">{one.content}</p>}
          {(Number(one.amount) > 0 || one.isCostUnknown) && (
            <p>
              {t(one.priceAmount ? words.atStakeCost : words.atStake)} <Money value={one.amount} />
              {one.priceAmount && (
                <span className="kit-quiet">
                  {' '}
                  {t(words.atPrice)} <Money value={one.priceAmount} />
                </span>
              )}
              {one.isCostUnknown && <span className="kit-quiet"> {t(words.costUnknown)}</span>}
            </p>
          )}
        </div>
        <RiskWhy one={one} />
      </header>
      <Pictures one={one} />
      {visitId && (
        <section className="guard-card">
          <VisitTimeline id={visitId} />
        </section>
      )}
      {slots.map((part, at) => createElement(part, { key: at, caseId: id, shopId, eventId, visitId }))}
      <CaseHistory context={beside} one={one} />
    </>
  )
}

function RiskWhy({ one }: { one: DeskCase }) {
  const t = useLocalize()
  return (
    <section className="guard-why" aria-label={t(words.riskTitle)}>
      <strong>{t(words.risk, { score: one.risk })}</strong>
      <ul>
        {one.parts.map(({ key, points, params }) => (
          <li key={key}>{t(words.points, { points, why: t(riskPartLabels[key]!, params ?? {}) })}</li>
        ))}
      </ul>
    </section>
  )
}

/** Pictures taken when it happened, and camera recordings of that time. */
function Pictures({ one }: { one: DeskCase }) {
  const t = useLocalize()
  const sidePanels = useSlotContents(rowSidePanelSlot) ?? []
  const cause = one.eventId
    ? { resource: event.name, id: one.eventId }
    : one.visitId && { resource: customerVisitLog.name, id: one.visitId }
  return (
    <>
      <ShopCameras key={one.shopId} shopId={one.shopId} />
      {one.picture && (
        <section className="guard-card" aria-label={t(words.picture)}>
          <Thumbnails links={[one.picture]} large />
        </section>
      )}
      {cause && sidePanels.map((part, at) => createElement(part, { key: `${at}/${cause.id}`, ...cause }))}
    </>
  )
}

function CaseHistory({ one, context }: { one: DeskCase; context: CaseContext | undefined }) {
  const t = useLocalize()
  return (
    <section className="guard-card">
      <h3>{t(words.deeds)}</h3>
      {context && !context.deeds.length && <p className="kit-quiet">{t(words.noDeeds)}</p>}
      <ol className="guard-deeds">
        {context?.deeds.map((action) => (
          <li key={action.id}>
            <span className="kit-number">{action.time.slice(11)}</span> {action.who} {action.kindName}{' '}
            {action.whom && t(words.to, { name: action.whom })} {action.note}
          </li>
        ))}
      </ol>
      {one.eventId && (
        <RowLink to="event" id={one.eventId}>
          {t(words.openEvent)}
        </RowLink>
      )}
    </section>
  )
}
