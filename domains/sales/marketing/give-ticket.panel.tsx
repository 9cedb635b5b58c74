import { f } from '#kit/resource/index.ts'
import { CustomerFormDialog } from '#domains/sales/customers/ui.ts'
import type { CustomerPageAction } from '#domains/sales/customers/web.ts'
import { customerTicket } from './customer-ticket.resource.ts'
import { discountTicket } from './discount-ticket.resource.ts'

const label = { zh: '发优惠券', en: 'Issue coupon' }
const { issue } = discountTicket.actions
const fields = { id: f.ref(discountTicket.name, { label: discountTicket.label, required: true }) }

/** Action on the customer page: gives the customer a ticket. */
export default {
  key: 'ticket',
  label,
  code: `${discountTicket.code}_issue`,
  Dialog: ({ customer, onClose }) => (
    <CustomerFormDialog
      customer={customer}
      title={label}
      path={`${discountTicket.path}/issue`}
      fields={fields}
      given={{ wxUserIds: customer.id }}
      renews={[discountTicket, customerTicket]}
      done={issue.done}
      onClose={onClose}
    />
  ),
} satisfies CustomerPageAction
