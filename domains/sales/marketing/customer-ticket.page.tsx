import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { customerTicket } from './customer-ticket.resource.ts'

const words = {
  intro: {
    zh: '每张发到顾客手里的券：未使用、结账锁定、已使用、已过期',
    en: 'Every coupon issued to customers: unused, locked at checkout, used or expired',
  },
}

export default function CustomerTicketPage() {
  return <ResourcePage resource={customerTicket} page={{ intro: words.intro }} />
}
