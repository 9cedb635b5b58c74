import { invalidFieldRefusal, serve } from '#kit/server/module/module.ts'
import { plannedWork } from './planned-work.resource.ts'

export const plannedWorkServer = serve(plannedWork, {
  beforeSave: (draft, was) => {
    const [start, end] = [draft.startTime ?? was?.startTime, draft.endTime ?? was?.endTime]
    if (start && end && end <= start) throw invalidFieldRefusal(plannedWork, 'endTime', 'too_small', { min: start })
  },
})
