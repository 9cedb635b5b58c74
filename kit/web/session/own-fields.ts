import type { Resource } from '#kit/resource/define-resource.ts'
import { resourceWithCustomFields } from '#kit/resource/custom-fields.ts'
import { useLiveEvents } from '../live/live.ts'
import { reloadSessionRights, useSession } from './session.ts'
import { customFieldsTopic } from '../../resource/kit-topics.ts'

/** Returns a resource with the custom fields of the user's tenant. */
export const useResourceWithCustomFields = <R extends Resource<any, any>>(resource: R): R =>
  resourceWithCustomFields(
    resource,
    useSession(({ own }) => own[resource.name]),
  ) as R

/** Refetches custom fields when somebody changes them; mounted once per page. */
export const useRefetchEditedCustomFields = (): void =>
  useLiveEvents(customFieldsTopic, () => void reloadSessionRights())
