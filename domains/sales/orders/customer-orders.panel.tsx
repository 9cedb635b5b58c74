import type { WireRow } from '#kit/resource/index.ts'
import type { CustomerHistory } from '#domains/sales/customers/web.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { definePageParts } from '#kit/web/list/page-parts.ts'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { shoppingOrder } from './shopping-order.resource.ts'

type Row = WireRow<typeof shoppingOrder>

const customerOrders: CustomerHistory = {
  resource: shoppingOrder,
  label: { zh: '订单', en: 'Orders' },
  hidden: ['wxUserId', 'refundAmount', 'payType', 'source', 'cashRegisterId'],
  parts: definePageParts(shoppingOrder, {
    cells: {
      orderNo: ({ row }: CellProps<Row>) => (
        <RowLink to="shoppingOrder" id={String(row.id)}>
          {String(row.orderNo)}
        </RowLink>
      ),
    },
  }),
}

export default customerOrders
