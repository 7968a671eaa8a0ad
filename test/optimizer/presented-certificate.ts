import type { Certificate, OptimizeInput } from '../../api/optimizer/index.ts'
import type { RouteCertificate } from '../../packages/client/src/certificate.ts'

/** The certificate as the gateway presents it. */
export function presented(input: OptimizeInput, { target, vaults }: Certificate): RouteCertificate {
  return {
    multiplier: `${target}`,
    vaults: [...vaults].map(([vault, multiplier]) => ({
      vault,
      liquidity: `${input.vaultLiquidity.get(vault) ?? 0n}`,
      multiplier: `${multiplier}`,
    })),
    candidates: input.candidates.map(({ claimId, vault, rateBps, maxFace }) => ({
      claimId,
      vault,
      discountBps: Number(rateBps),
      maxFaceAmount: `${maxFace}`,
    })),
  }
}
