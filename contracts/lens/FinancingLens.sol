// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ClaimRegistry} from "../ClaimRegistry.sol";
import {FinancingRouter} from "../FinancingRouter.sol";
import {FinancingVault} from "../FinancingVault.sol";
import {VaultRegistry} from "../VaultRegistry.sol";
import {Allocation, Claim, ClaimState, Mandate, Pricing, QuoteReason} from "../Types.sol";

/// @notice Reads everything that routing needs in one call. Never deployed: an eth_call puts this code at an unused
/// address. A vault that cannot be read does not affect the results of the others.
contract FinancingLens {
    /// @dev More than twice the gas of all getters of a vault with 256 premiums for 20 claims, the most of a route, and
    /// far above that of a quote. A vault that uses more is reported as unreadable.
    uint256 private constant GAS_PER_VAULT = 1_000_000;

    struct ClaimView {
        Claim claim;
        bool issuerActive;
        Allocation[] allocations;
    }

    /// @dev `readable` is false, and all else but the address zero, when a getter of the vault failed. Entry i of
    /// `issuerFaces` is what the issuer of claim i owes the vault; none where the mandate has no limit for an issuer.
    struct VaultView {
        address vault;
        bool readable;
        bool active;
        address token;
        uint256 fundableLiquidity;
        Mandate mandate;
        Pricing pricing;
        uint256[] issuerFaces;
    }

    enum QuoteStatus {
        NOT_ASKED,
        FAILED,
        ANSWERED
    }

    /// @dev A quote in one word, since a market has thousands: its status is the first byte, its reason the second, and
    /// the other 30 are the discount.
    type PackedQuote is uint256;

    /// @dev `probes[i * vaults.length + j]` is vault j's quote for the most of claim i that its mandate allows, or for
    /// the smallest lot where the vault has financed all that its mandate allows.
    struct Market {
        uint256 blockNumber;
        uint256 timestamp;
        bool paused;
        uint256 vaultCount;
        ClaimView[] claims;
        VaultView[] vaults;
        PackedQuote[] probes;
    }

    struct Leg {
        bytes32 claimId;
        address vault;
        uint256 faceAmount;
    }

    /// @dev Entry i of each list belongs to leg i; quotes are at the leg's exact face amount. `issuerFaces` of a vault
    /// has at most one entry, for the issuer of the leg.
    struct Legs {
        uint256 blockNumber;
        uint256 timestamp;
        bool paused;
        ClaimView[] claims;
        VaultView[] vaults;
        PackedQuote[] quotes;
    }

    /// @notice The claims, the registered vaults from position `offset` on (at most `limit`), and a probe quote of each
    /// readable and active vault for each claim in its token that `user` owns and that is eligible or partially funded.
    /// For the zero address, the owner does not matter.
    function market(FinancingRouter router, address user, bytes32[] calldata claimIds, uint256 offset, uint256 limit)
        external
        view
        returns (Market memory result)
    {
        VaultRegistry registry = router.vaults();
        result.blockNumber = block.number;
        result.timestamp = block.timestamp;
        result.paused = router.paused();
        result.vaultCount = registry.vaultCount();
        result.claims = new ClaimView[](claimIds.length);
        for (uint256 i; i < claimIds.length; ++i) {
            result.claims[i] = _claimView(router, claimIds[i]);
        }
        address[] memory page = registry.vaults(offset, limit);
        result.vaults = new VaultView[](page.length);
        for (uint256 j; j < page.length; ++j) {
            result.vaults[j] = _vaultView(registry, page[j], result.claims);
        }
        result.probes = _probes(user, claimIds, result.claims, result.vaults);
    }

    /// @notice The values that the router checks when it executes `legs`.
    function route(FinancingRouter router, Leg[] calldata legs) external view returns (Legs memory result) {
        VaultRegistry registry = router.vaults();
        result.blockNumber = block.number;
        result.timestamp = block.timestamp;
        result.paused = router.paused();
        result.claims = new ClaimView[](legs.length);
        result.vaults = new VaultView[](legs.length);
        result.quotes = new PackedQuote[](legs.length);
        for (uint256 i; i < legs.length; ++i) {
            result.claims[i] = _claimView(router, legs[i].claimId);
            ClaimView[] memory claims = new ClaimView[](1);
            claims[0] = result.claims[i];
            result.vaults[i] = _vaultView(registry, legs[i].vault, claims);
            if (result.vaults[i].readable) result.quotes[i] = _quote(legs[i].vault, legs[i].claimId, legs[i].faceAmount);
        }
    }

    /// @dev External only so that `_vaultView` can catch whatever goes wrong in it.
    function readVault(VaultRegistry registry, FinancingVault vault, ClaimView[] calldata claims)
        external
        view
        returns (VaultView memory)
    {
        Mandate memory mandate = vault.mandate();
        bool isLimited = mandate.maxIssuerFace < type(uint256).max;
        uint256[] memory issuerFaces = new uint256[](isLimited ? claims.length : 0);
        for (uint256 i; i < issuerFaces.length; ++i) {
            issuerFaces[i] = vault.outstandingFaceOf(claims[i].claim.issuer);
        }
        return VaultView({
            vault: address(vault),
            readable: true,
            active: registry.isActive(address(vault)),
            token: vault.asset(),
            fundableLiquidity: vault.fundableLiquidity(),
            mandate: mandate,
            pricing: vault.pricing(),
            issuerFaces: issuerFaces
        });
    }

    function _claimView(FinancingRouter router, bytes32 claimId) private view returns (ClaimView memory result) {
        result.claim = router.claims().claim(claimId);
        result.issuerActive = router.issuers().isActive(result.claim.issuer);
        result.allocations = router.claims().allocations(claimId);
    }

    function _vaultView(VaultRegistry registry, address vault, ClaimView[] memory claims)
        private
        view
        returns (VaultView memory result)
    {
        try this.readVault{gas: GAS_PER_VAULT}(registry, FinancingVault(vault), claims) returns (VaultView memory read) {
            result = read;
        } catch {
            result.vault = vault;
        }
    }

    function _probes(
        address user,
        bytes32[] calldata claimIds,
        ClaimView[] memory claims,
        VaultView[] memory vaults
    ) private view returns (PackedQuote[] memory probes) {
        probes = new PackedQuote[](claimIds.length * vaults.length);
        for (uint256 i; i < claimIds.length; ++i) {
            Claim memory record = claims[i].claim;
            if (!_isProbed(user, record)) continue;
            for (uint256 j; j < vaults.length; ++j) {
                VaultView memory candidate = vaults[j];
                if (!candidate.readable || !candidate.active || candidate.token != record.token) continue;
                probes[i * vaults.length + j] =
                    _quote(candidate.vault, claimIds[i], _largestFace(claims[i], candidate, i));
            }
        }
    }

    /// @param index Number of the claim.
    function _largestFace(ClaimView memory seen, VaultView memory candidate, uint256 index)
        private
        pure
        returns (uint256)
    {
        Mandate memory mandate = candidate.mandate;
        uint256 room = mandate.maxClaimFace;
        for (uint256 i; i < seen.allocations.length; ++i) {
            if (seen.allocations[i].vault == candidate.vault) {
                room = Math.saturatingSub(room, seen.allocations[i].faceAmount);
            }
        }
        if (candidate.issuerFaces.length > 0) {
            room = Math.min(room, Math.saturatingSub(mandate.maxIssuerFace, candidate.issuerFaces[index]));
        }
        uint256 remaining = seen.claim.faceValue - seen.claim.financedFaceValue;
        return Math.min(Math.min(mandate.maxFace, remaining), Math.max(room, mandate.minFace));
    }

    function _isProbed(address user, Claim memory record) private pure returns (bool) {
        if (user != address(0) && record.beneficiary != user) return false;
        return record.state == ClaimState.ELIGIBLE || record.state == ClaimState.PARTIALLY_FUNDED;
    }

    /// @dev A low-level call, since whatever the vault answers must not make the lens revert. There are thousands of
    /// these, hence no call to itself as for a vault's other getters. A face is below 2^128, so a discount that has no
    /// room in the word is no price of any face.
    function _quote(address vault, bytes32 claimId, uint256 faceAmount) private view returns (PackedQuote) {
        (bool success, bytes memory answer) =
            vault.staticcall{gas: GAS_PER_VAULT}(abi.encodeCall(FinancingVault.quote, (claimId, faceAmount)));
        PackedQuote failed = _packed(QuoteStatus.FAILED, QuoteReason.NONE, 0);
        if (!success || answer.length < 4 * 32) return failed;
        (, uint256 reason, uint256 discountAmount,) = abi.decode(answer, (uint256, uint256, uint256, uint256));
        if (reason > uint256(type(QuoteReason).max) || discountAmount > type(uint240).max) return failed;
        return _packed(QuoteStatus.ANSWERED, QuoteReason(reason), uint240(discountAmount));
    }

    function _packed(QuoteStatus status, QuoteReason reason, uint240 discountAmount) private pure returns (PackedQuote) {
        return PackedQuote.wrap((uint256(status) << 248) | (uint256(reason) << 240) | discountAmount);
    }
}
