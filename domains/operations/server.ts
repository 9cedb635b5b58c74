import './refusals.ts'
import { defineRoom } from '#kit/server/room.ts'
import { doorDictionaries } from './door-control-log.resource.ts'
import { doorControlLogServer } from './door-log.server.ts'
import { leadDictionaries } from './join-us.resource.ts'
import { joinUsFollowServer, joinUsServer, leadReminderJob } from './join-us.server.ts'
import { visitDictionaries } from './visit.resource.ts'
import { visitRecordTable, visitRoutes, visitServer } from './visit.server.ts'
import { workDictionaries } from './work-info.resource.ts'
import { workDeviceServer, workInfoServer } from './work-info.server.ts'

export default defineRoom({
  name: 'operations',
  label: { zh: '门店运营', en: 'Operations' },
  resources: [visitServer, doorControlLogServer, workInfoServer, workDeviceServer, joinUsServer, joinUsFollowServer],
  routes: visitRoutes,
  tables: [visitRecordTable],
  jobs: [leadReminderJob],
  dictionaries: [...visitDictionaries, ...doorDictionaries, ...workDictionaries, ...leadDictionaries],
})
