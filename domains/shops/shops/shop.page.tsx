import type { WireRow } from '#kit/resource/index.ts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { PersonAvatar } from '#kit/web/parts/person-avatar.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { RowHistoryButton } from '#kit/web/detail/history-button.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { OnlineState } from './online-state.tsx'
import { ShopActions, ShopStaff, ShopTodayFigures } from './shop-side-panel.panel.tsx'
import { ShopFactsSection, ShopSettings } from './shop-facts.tsx'
import { ShopEvents, ShopExpiringStock, ShopLowStock, ShopRegisters, ShopVisits, ShopWorkOrders } from './shop-rows.tsx'
import '#kit/web/base/kit.css'
import './shops.css'

type Row = WireRow<typeof basicShopInfo>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const StaffPanel = lazy(() => import('./staff.panel.tsx'))

/** Page of one shop with everything about it the user may see. */
export default function ShopDetailPage() {
  const { id = '' } = useParams()
  const t = useLocalize()
  const { data: shop, error, refetch } = useRowDetail(basicShopInfo, id)
  useTabTitle(shop && String(shop.shopName))

  if (!shop)
    return (
      <div className="kit-page">
        {error ? (
          <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <section className="shop-card">
            <span className="kit-skeleton" />
          </section>
        )}
      </div>
    )

  return (
    <div className="kit-page shop-page">
      <ShopHead shop={shop} />
      <div className="shop-columns">
        <div>
          <ShopEvents shopId={id} />
          <div className="shop-pair">
            <ShopLowStock shopId={id} />
            <ShopExpiringStock shopId={id} />
          </div>
          <ShopVisits shopId={id} />
          <ShopWorkOrders shopId={id} />
        </div>
        <aside>
          <section className="shop-card shops-beside">
            <ShopActions shopId={id} />
            <ShopTodayFigures shopId={id} />
          </section>
          <ShopFactsSection shop={shop} />
          <ShopRegisters shopId={id} />
          <StaffCard shop={shop} />
          <ShopSettings shopId={id} />
        </aside>
      </div>
    </div>
  )
}

function StaffCard({ shop }: { shop: Row }) {
  const mayStaff = useHasPermission('basicShopInfo_staff')
  const [isStaffing, setStaffing] = useState(false)
  return (
    <>
      <section className="shop-card shops-beside">
        <ShopStaff shopId={String(shop.id)} onStaff={mayStaff ? () => setStaffing(true) : undefined} />
      </section>
      <Suspense>{isStaffing && <StaffPanel shop={shop} onClose={() => setStaffing(false)} />}</Suspense>
    </>
  )
}

function ShopHead({ shop }: { shop: Row }) {
  const t = useLocalize()
  const may = useResourcePermissions(basicShopInfo)
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  return (
    <header className="shop-card shop-head">
      <PersonAvatar link={shop.logo} name={shop.shopName} className="shop-mark" />
      <div>
        <h1>
          {String(shop.shopName)} <span className="kit-quiet">{String(shop.shopCode)}</span>
        </h1>
        <p>
          <DictTag code="shop_status" value={shop.status} />
          {Number(shop.status) === 1 && (
            <OnlineState online={shop.online === true} seen={String(shop.lastSeenTime ?? '')} full />
          )}
          <DictTag code="shop_mode" value={shop.mode} />
        </p>
      </div>
      {(['open', 'pause'] as const)
        .filter((name) => may.act(name) && meetsCondition(shop, basicShopInfo.actions[name].enabled))
        .map((name) => (
          <Button
            key={name}
            size="large"
            type={name === 'open' ? 'primary' : 'default'}
            onClick={() => setActionRequest({ name, action: basicShopInfo.actions[name], rows: [shop] })}
          >
            {t(basicShopInfo.actions[name].label)}
          </Button>
        ))}
      <RowHistoryButton resource={basicShopInfo} row={shop} size="large" />
      <Suspense>
        {actionRequest && (
          <ActionDialog resource={basicShopInfo} asked={actionRequest} onClose={() => setActionRequest(undefined)} />
        )}
      </Suspense>
    </header>
  )
}
