import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useUrlFlag } from '#kit/web/live/use-query-flag.ts'
import { ALL_SHOPS_LABEL, basicShopInfo } from './basic-shop-info.resource.ts'
import { OnlineState } from './online-state.tsx'

type Row = WireRow<typeof basicShopInfo>

const StaffPanel = lazy(() => import('./staff.panel.tsx'))
const ShopSidePanel = lazy(() => import('./shop-side-panel.panel.tsx'))

const words = {
  intro: {
    zh: '在线状态来自门店设备，不用手工填写',
    en: 'The online status comes from store devices. You do not need to enter it.',
  },
  staff: { zh: '门店人员', en: 'Store staff' },
  whole: { zh: '门店主页', en: 'Store page' },
  offline: { zh: '离线', en: 'Offline' },
  show: { zh: '显示', en: 'Show' },
}

const OPEN = 1
const OPENING_ACTIONS = new Set(['open', 'pause', 'close'])

const OnlineCell = ({ value, row, place }: CellProps<Row>) =>
  Number(row.status) === OPEN || value === true ? (
    <OnlineState online={value === true} seen={String(row.lastSeenTime ?? '')} full={place === 'detail'} />
  ) : (
    <span className="kit-quiet">—</span>
  )

const cells = { online: (props: CellProps<Row>) => <OnlineCell {...props} /> }

/** List of shops: state, staff, and actions to open, pause or close them. */
export default function ShopListPage() {
  const t = useLocalize()
  const [isOffline, setOffline] = useUrlFlag('isOffline')
  const mayStaff = useHasPermission('basicShopInfo_staff')
  const [staffOf, setStaffOf] = useState<Row>()
  const navigate = useNavigate()

  const rowActions = (row: Row): RowAction[] => [
    {
      key: 'whole',
      label: words.whole,
      icon: 'shop' as const,
      run: () => void navigate(`/shop/basicShopInfo/${String(row.id)}`),
    },
    ...(mayStaff ? [{ key: 'staff', label: words.staff, icon: 'team' as const, run: () => setStaffOf(row) }] : []),
  ]
  // A shop has one next step at a time; the other actions are left out.
  const transformActions = (list: RowAction[]) =>
    list
      .filter(({ key, disabled }) => !OPENING_ACTIONS.has(key) || !disabled)
      .toSorted((a, b) => Number(b.key === 'whole') - Number(a.key === 'whole'))

  return (
    <>
      <ResourcePage
        resource={basicShopInfo}
        page={{
          intro: words.intro,
          cells,
          rowActions,
          transformActions,
          fixed: isOffline ? { isOffline: 'true' } : undefined,
          isNarrowed: isOffline,
          head: () => (
            <Segmented
              className="kit-tabs"
              value={isOffline ? 'offline' : 'all'}
              onChange={(next) => setOffline(next === 'offline')}
              aria-label={t(words.show)}
              options={[
                { value: 'all', label: t(ALL_SHOPS_LABEL) },
                { value: 'offline', label: t(words.offline) },
              ]}
            />
          ),
          beside: (row) => (
            <Suspense>
              <ShopSidePanel shop={row} onStaff={mayStaff ? () => setStaffOf(row) : undefined} />
            </Suspense>
          ),
        }}
      />
      <Suspense>{staffOf && <StaffPanel shop={staffOf} onClose={() => setStaffOf(undefined)} />}</Suspense>
    </>
  )
}
