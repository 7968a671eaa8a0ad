// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FinancingVault} from "./FinancingVault.sol";
import {RouterRegistries} from "./RouterRegistries.sol";
import {Claim, ClaimState, MAX_SLICES_PER_CLAIM, QuoteReason, RouteLeg} from "./Types.sol";

/// @notice The checks of every leg of a route or direct financing, each with its error.
abstract contract LegChecks is RouterRegistries {
    /// @notice Largest number of legs of a route.
    uint256 public constant MAX_LEGS = 8;

    /// @dev A leg that passed every check, with the advance that it will be paid, in base units.
    struct CheckedLeg {
        bytes32 claimId;
        address vault;
        uint256 faceAmount;
        uint256 advanceAmount;
        address issuer;
    }

    // Amounts of errors are base units, and `dueDate` is Unix seconds.

    /// @notice The route has no leg, or more than `MAX_LEGS`.
    error InvalidLegCount(uint256 legCount);
    /// @notice Two legs have this claim.
    error DuplicateClaim(bytes32 claimId);
    /// @notice The token of this claim is not that of the first leg.
    error MixedTokens(bytes32 claimId);
    error NotBeneficiary(bytes32 claimId, address user);
    error IssuerInactive(bytes32 claimId, address issuer);
    error VaultInactive(address vault);
    error NoSlicesRemaining(bytes32 claimId);
    error ClaimNotFinanceable(bytes32 claimId, ClaimState state);
    error ClaimPastDue(bytes32 claimId, uint256 dueDate);
    /// @notice The token of the claim is not that of the vault.
    error TokenMismatch(bytes32 claimId, address vault);
    error TypeNotSupported(bytes32 claimId, address vault);
    error DurationBelowMinimum(bytes32 claimId, address vault);
    error DurationExceeded(bytes32 claimId, address vault);
    error BelowMinimumLot(bytes32 claimId, address vault, uint256 faceAmount);
    error AboveMaximumLot(bytes32 claimId, address vault, uint256 faceAmount);
    /// @notice The face of the leg is above the face of the claim that nobody has financed.
    error FaceExceedsRemaining(bytes32 claimId, uint256 faceAmount, uint256 remainingFace);
    /// @notice The vault would have financed more than `maxClaimFace` of the claim.
    error AboveMaximumClaimFace(bytes32 claimId, address vault, uint256 faceAmount);
    /// @notice The issuer would owe the vault more than `maxIssuerFace`, with the earlier legs of the route.
    error AboveMaximumIssuerFace(bytes32 claimId, address vault, uint256 faceAmount);
    /// @notice The legs up to this one need more advance from the vault than it can pay.
    error InsufficientLiquidity(address vault, uint256 requiredAdvance, uint256 fundableLiquidity);
    error AdvanceBelowMinimum(bytes32 claimId, uint256 advanceAmount, uint256 minimumAdvanceAmount);

    /// @dev Checks the legs in their order. `user` is the beneficiary of every claim. `token` is that of all claims.
    function _checkLegs(address user, RouteLeg[] memory requested)
        internal
        view
        returns (CheckedLeg[] memory legs, address token)
    {
        uint256 count = requested.length;
        if (count == 0 || count > MAX_LEGS) revert InvalidLegCount(count);
        legs = new CheckedLeg[](count);
        for (uint256 i; i < count; ++i) {
            for (uint256 j; j < i; ++j) {
                if (legs[j].claimId == requested[i].claimId) revert DuplicateClaim(requested[i].claimId);
            }
            Claim memory record = claims.claim(requested[i].claimId);
            if (record.state == ClaimState.NONE) revert UnknownClaim(requested[i].claimId);
            if (i == 0) token = record.token;
            else if (record.token != token) revert MixedTokens(requested[i].claimId);
            _checkParties(user, record, requested[i]);
            legs[i] = _checkTerms(record, requested[i]);
            _checkIssuerFace(legs, i);
            _checkLiquidity(legs, i);
        }
    }

    function _checkParties(address user, Claim memory record, RouteLeg memory leg) private view {
        if (record.beneficiary != user) revert NotBeneficiary(leg.claimId, user);
        if (!issuers.isActive(record.issuer)) revert IssuerInactive(leg.claimId, record.issuer);
        if (!vaults.isActive(leg.vault)) revert VaultInactive(leg.vault);
    }

    function _checkTerms(Claim memory record, RouteLeg memory leg) private view returns (CheckedLeg memory) {
        (, QuoteReason reason,, uint256 advanceAmount) = FinancingVault(leg.vault).quote(leg.claimId, leg.faceAmount);
        if (reason != QuoteReason.NONE) _revertWith(reason, record, leg);
        if (record.sliceCount >= MAX_SLICES_PER_CLAIM) revert NoSlicesRemaining(leg.claimId);
        if (advanceAmount < leg.minimumAdvanceAmount) {
            revert AdvanceBelowMinimum(leg.claimId, advanceAmount, leg.minimumAdvanceAmount);
        }
        return CheckedLeg(leg.claimId, leg.vault, leg.faceAmount, advanceAmount, record.issuer);
    }

    /// @dev The faces of all legs up to `last` of one issuer and vault must fit the mandate of the vault together, with
    /// what the issuer owes it. The quote of each leg has checked that leg alone. Until the legs are executed, no other
    /// financing is possible, so this debt does not grow.
    function _checkIssuerFace(CheckedLeg[] memory legs, uint256 last) private view {
        CheckedLeg memory leg = legs[last];
        uint256 faceAmount;
        for (uint256 i; i <= last; ++i) {
            if (legs[i].vault == leg.vault && legs[i].issuer == leg.issuer) faceAmount += legs[i].faceAmount;
        }
        if (faceAmount == leg.faceAmount) return;
        FinancingVault vault = FinancingVault(leg.vault);
        if (vault.outstandingFaceOf(leg.issuer) + faceAmount > vault.mandate().maxIssuerFace) {
            revert AboveMaximumIssuerFace(leg.claimId, leg.vault, leg.faceAmount);
        }
    }

    /// @dev The advances of all legs up to `last` that draw on the same vault must fit its liquidity together.
    function _checkLiquidity(CheckedLeg[] memory legs, uint256 last) private view {
        address vault = legs[last].vault;
        uint256 required;
        for (uint256 i; i <= last; ++i) {
            if (legs[i].vault == vault) required += legs[i].advanceAmount;
        }
        uint256 available = FinancingVault(vault).fundableLiquidity();
        if (required > available) revert InsufficientLiquidity(vault, required, available);
    }

    function _totals(CheckedLeg[] memory legs) internal pure returns (uint256 totalFace, uint256 totalAdvance) {
        for (uint256 i; i < legs.length; ++i) {
            totalFace += legs[i].faceAmount;
            totalAdvance += legs[i].advanceAmount;
        }
    }

    function _revertWith(QuoteReason reason, Claim memory record, RouteLeg memory leg) private pure {
        if (reason == QuoteReason.CLAIM_NOT_FINANCEABLE) revert ClaimNotFinanceable(leg.claimId, record.state);
        if (reason == QuoteReason.CLAIM_PAST_DUE) revert ClaimPastDue(leg.claimId, record.dueDate);
        if (reason == QuoteReason.TOKEN_MISMATCH) revert TokenMismatch(leg.claimId, leg.vault);
        if (reason == QuoteReason.TYPE_NOT_SUPPORTED) revert TypeNotSupported(leg.claimId, leg.vault);
        if (reason == QuoteReason.DURATION_BELOW_MINIMUM) revert DurationBelowMinimum(leg.claimId, leg.vault);
        if (reason == QuoteReason.DURATION_EXCEEDED) revert DurationExceeded(leg.claimId, leg.vault);
        if (reason == QuoteReason.BELOW_MINIMUM_LOT) revert BelowMinimumLot(leg.claimId, leg.vault, leg.faceAmount);
        if (reason == QuoteReason.ABOVE_MAXIMUM_LOT) revert AboveMaximumLot(leg.claimId, leg.vault, leg.faceAmount);
        if (reason == QuoteReason.FACE_EXCEEDS_REMAINING) {
            revert FaceExceedsRemaining(leg.claimId, leg.faceAmount, record.faceValue - record.financedFaceValue);
        }
        if (reason == QuoteReason.ABOVE_MAXIMUM_CLAIM_FACE) {
            revert AboveMaximumClaimFace(leg.claimId, leg.vault, leg.faceAmount);
        }
        revert AboveMaximumIssuerFace(leg.claimId, leg.vault, leg.faceAmount);
    }
}
