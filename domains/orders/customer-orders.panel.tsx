import type { CustomerHistory } from '#domains/members/web.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { RowLink } from '#kit/web/list/row-link.tsx'
import { shoppingOrder } from './shopping-order.resource.ts'

const customerOrders: CustomerHistory = {
  resource: shoppingOrder,
  label: { zh: '订单', en: 'Orders' },
  hidden: ['wxUserId', 'refundAmount', 'payType', 'source', 'cashRegisterId'],
  parts: {
    cells: {
      orderNo: ({ row }: CellProps) => (
        <RowLink to="shoppingOrder" id={String(row.id)}>
          {String(row.orderNo)}
        </RowLink>
      ),
    },
  },
}

export default customerOrders
