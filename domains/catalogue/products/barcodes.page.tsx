import type { WireRow } from '#kit/resource/index.ts'
import { useSession } from '#kit/web/session/session.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { BarcodeInput } from './barcode-input.tsx'
import { barcodes } from './barcodes.resource.ts'

type Row = WireRow<typeof barcodes>

const words = {
  intro: {
    zh: '扫码建商品时自动带出名称和规格；公共条目只读，可补充自己的条目',
    en: 'Fills in name and size when you add products by barcode. Shared entries are read-only. You can add your own.',
  },
}

const inputs = { upc: BarcodeInput }

/** Page of the barcode library: shared entries are read-only, the tenant can change its own. */
export default function BarcodesPage() {
  const tenantId = useSession((session) => session.user?.tenantId)
  const transformActions = (rowActions: RowAction[], row: Row) =>
    row.tenantId === undefined || row.tenantId === tenantId
      ? rowActions
      : rowActions.filter(({ key }) => key === 'view')
  return <ResourcePage resource={barcodes} page={{ intro: words.intro, transformActions, inputs }} />
}
