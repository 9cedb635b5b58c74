import type { personalOpeningsAlertSlot } from '#domains/platform/logs/api.ts'
import type { SlotValue } from '#kit/server/base/slots.ts'
import { findTenantAdministrators, findShopBosses } from './administrators.ts'
import { notifyPerson } from './notify-person.ts'

/**
 * Notifies administrators and the shops' bosses that somebody opens much personal data, once for each person and hour.
 * Bosses are not notified about themselves; administrators are notified about each other.
 */
export const notifyOwnersOfDataAccess: SlotValue<typeof personalOpeningsAlertSlot> = async (db, services, alert) => {
  const { userId, account, count, hour, owners } = alert
  const bosses = (await findShopBosses(db, owners.shop ?? [])).filter(({ id }) => id !== userId)
  const all = [...(await findTenantAdministrators(db)), ...bosses].map(({ id }) => id)
  for (const id of new Set(all))
    await notifyPerson(db, services, {
      userId: id,
      template: 'personal',
      content: {
        zh: `账号 ${account} 一小时内打开了 ${count} 份个人信息，见“个人信息查看记录”`,
        en: `Account ${account} opened ${count} people's personal data within an hour: see "Who opened personal data"`,
      },
      key: `personal/${userId}/${hour}/${id}`,
    })
}
