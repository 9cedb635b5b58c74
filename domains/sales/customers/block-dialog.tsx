import { CustomerFormDialog } from './action-drawer.tsx'
import { blackList } from './black-list.resource.ts'

const words = { block: { zh: '加入黑名单', en: 'Add to blocklist' } }

type Props = {
  customer: { id: string; nickname: string }
  /** Initial values: the shop, and the visit that serves as proof. */
  preset?: { shopId?: string; visitId?: string; reason?: string; endTime?: string }
  onClose: () => void
}

/** Puts a customer on the blacklist, with its reason, proof and end. */
export function BlockDialog({ customer, preset, onClose }: Props) {
  const { shopId, reason, startTime, endTime, pictures, visitId } = blackList.fields
  return (
    <CustomerFormDialog
      customer={customer}
      title={words.block}
      path={`${blackList.path}/submit`}
      fields={{ reason, shopId, startTime, endTime: { ...endTime, required: true }, pictures, visitId }}
      given={{ wxUserId: customer.id }}
      preset={preset}
      renews={[blackList]}
      danger
      onClose={onClose}
    />
  )
}
