import type { Resource } from '#kit/resource/define-resource.ts'
import { resourceWithCustomFields } from '#kit/resource/custom-fields.ts'
import { useLiveEvents } from './live/live.ts'
import { reloadSessionRights, useSession } from './session/session.ts'

/** A family with the fields the user's tenant added to it. */
export const useResourceWithCustomFields = <R extends Resource<any, any>>(resource: R): R =>
  resourceWithCustomFields(
    resource,
    useSession(({ own }) => own[resource.name]),
  ) as R

/** Mount once per page: fields somebody added or changed are there at once. */
export const useRefetchEditedCustomFields = (): void => useLiveEvents('own.changed', () => void reloadSessionRights())
