import { useQuery } from '@tanstack/react-query'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { basicShopInfoStaffCall } from './basic-shop-info.calls.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'

export type StaffMember = CallAnswerOf<typeof basicShopInfoStaffCall>[number]

/** Loads the staff of a shop. */
export const useShopStaff = (shopId: string) =>
  useQuery({
    queryKey: ['detail', basicShopInfo.name, 'staff', shopId],
    queryFn: () => callApi(basicShopInfoStaffCall, { id: shopId }, { quiet: true }),
    staleTime: 0,
  })
