import type { openingsTold } from '#domains/logs/doors.ts'
import type { SlotValue } from '#kit/server/slots.ts'
import { administrators } from './administrators.ts'
import { notifyPerson } from './notify-person.ts'

/** Tells whose tenant it is that somebody opens much personal data, once for each person and hour. */
export const tellOwners: SlotValue<typeof openingsTold> = async (db, services, { userId, account, count, hour }) => {
  for (const { id } of await administrators(db))
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
