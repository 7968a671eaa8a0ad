// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {PricingMath} from "./PricingMath.sol";
import {BPS_DENOMINATOR, Claim, ClaimState, MAX_PREMIUMS, Mandate, Pricing, QuoteReason, Terms} from "./Types.sol";

/// @notice Mandate and pricing of a vault: what it finances, and at which discount. Its owner, the curator, submits
/// them, and they take effect after a notice, so that holders can leave before.
abstract contract VaultTerms is Ownable2Step {
    /// @notice Seconds between the submission of terms and the time from which they can take effect.
    uint32 public immutable noticePeriod;

    Terms private _terms;
    Terms private _pending;
    /// @dev Zero where no terms are pending.
    uint256 private _effectiveAt;

    /// @notice This mandate is in effect. `PricingChanged` follows.
    event MandateChanged(Mandate mandate);
    /// @notice This pricing is in effect.
    event PricingChanged(Pricing pricing);
    /// @notice These terms are pending. Anyone can put them into effect from `effectiveAt` (Unix seconds) on.
    event TermsSubmitted(Mandate mandate, Pricing pricing, uint256 effectiveAt);
    /// @notice The curator took back the pending terms.
    event TermsRevoked();

    /// @notice The mandate leaves no room for a slice: `minFace` is 0 or above one of the largest faces, or
    /// `minDurationDays` is above `maxDurationDays`.
    error InvalidMandate();
    /// @notice The highest rate that the terms can ask, in basis points, is 100 % or more.
    error InvalidPricing(uint256 highestBps);
    /// @notice The list of premiums has more than 256 entries, one for each claim type.
    error TooManyPremiums(uint256 count);
    /// @notice No terms are pending, so none can be accepted or revoked.
    error NoPendingTerms();
    /// @notice The notice of the pending terms ends at `effectiveAt`. Both times are Unix seconds.
    error NoticeNotOver(uint256 effectiveAt, uint256 timestamp);

    constructor(address curator, uint32 noticePeriod_, Terms memory terms) Ownable(curator) {
        _checkTerms(terms);
        noticePeriod = noticePeriod_;
        _terms = terms;
    }

    /// @notice Submits mandate and pricing. They replace those that are pending. Terms that are nowhere looser than the
    /// present ones take effect at once, as all do in a vault without notice. Others wait for `acceptTerms`.
    function submitTerms(Mandate calldata nextMandate, Pricing calldata nextPricing) external onlyOwner {
        Terms memory next = Terms(nextMandate, nextPricing);
        _checkTerms(next);
        if (noticePeriod == 0 || _isNowhereLooser(next, _terms)) {
            _putIntoEffect(next);
        } else {
            _pending = next;
            _effectiveAt = block.timestamp + noticePeriod;
            emit TermsSubmitted(next.mandate, next.pricing, _effectiveAt);
        }
    }

    /// @notice Puts the pending terms into effect after their notice. Anyone can.
    function acceptTerms() external {
        _checkPending();
        if (block.timestamp < _effectiveAt) revert NoticeNotOver(_effectiveAt, block.timestamp);
        _putIntoEffect(_pending);
    }

    /// @notice Takes back the pending terms.
    function revokeTerms() external onlyOwner {
        _checkPending();
        _clearPending();
        emit TermsRevoked();
    }

    /// @notice The mandate that is in effect.
    function mandate() external view returns (Mandate memory) {
        return _terms.mandate;
    }

    /// @notice The pricing that is in effect.
    function pricing() external view returns (Pricing memory) {
        return _terms.pricing;
    }

    /// @notice The terms that are submitted and not in effect, and the time (Unix seconds) from which they can be. The
    /// time is zero where there are none.
    function pendingTerms() external view returns (Mandate memory, Pricing memory, uint256 effectiveAt) {
        return (_pending.mandate, _pending.pricing, _effectiveAt);
    }

    // ---------------------------------------------------------------- prices

    /// @dev Face of a claim that the vault has financed, base units.
    function _financedFace(bytes32 claimId) internal view virtual returns (uint256);

    /// @dev Face that the claims of an issuer owe the vault, base units.
    function _owedFace(address issuer) internal view virtual returns (uint256);

    function _refusal(bytes32 claimId, Claim memory record, address token, uint256 faceAmount)
        internal
        view
        returns (QuoteReason)
    {
        if (record.state != ClaimState.ELIGIBLE && record.state != ClaimState.PARTIALLY_FUNDED) {
            return QuoteReason.CLAIM_NOT_FINANCEABLE;
        }
        if (record.dueDate <= block.timestamp) return QuoteReason.CLAIM_PAST_DUE;
        if (record.token != token) return QuoteReason.TOKEN_MISMATCH;
        Mandate storage limits = _terms.mandate;
        if ((limits.supportedTypesBitmap >> record.claimType) & 1 == 0) return QuoteReason.TYPE_NOT_SUPPORTED;
        uint256 daysToDue = PricingMath.daysToDueRoundedDown(record.dueDate, block.timestamp);
        if (daysToDue < limits.minDurationDays) return QuoteReason.DURATION_BELOW_MINIMUM;
        if (daysToDue > limits.maxDurationDays) return QuoteReason.DURATION_EXCEEDED;
        if (faceAmount < limits.minFace) return QuoteReason.BELOW_MINIMUM_LOT;
        if (faceAmount > limits.maxFace) return QuoteReason.ABOVE_MAXIMUM_LOT;
        if (faceAmount > record.faceValue - record.financedFaceValue) return QuoteReason.FACE_EXCEEDS_REMAINING;
        // The vault holds at most the face that is financed, so most quotes need no sum of its slices.
        bool canExceed = record.financedFaceValue + faceAmount > limits.maxClaimFace;
        if (canExceed && _financedFace(claimId) + faceAmount > limits.maxClaimFace) {
            return QuoteReason.ABOVE_MAXIMUM_CLAIM_FACE;
        }
        if (_owedFace(record.issuer) + faceAmount > limits.maxIssuerFace) return QuoteReason.ABOVE_MAXIMUM_ISSUER_FACE;
        return QuoteReason.NONE;
    }

    /// @dev A discount can exceed the face only beyond the mandate's duration, where nothing is financed anyway.
    function _price(Claim memory record, uint256 faceAmount)
        internal
        view
        returns (uint256 discountAmount, uint256 advanceAmount)
    {
        uint256 daysToDue = PricingMath.daysToDueRoundedDown(record.dueDate, block.timestamp);
        uint256 bps = Math.min(PricingMath.totalBps(_terms.pricing, record.claimType, daysToDue), BPS_DENOMINATOR);
        discountAmount = PricingMath.discountRoundedUp(faceAmount, bps);
        advanceAmount = faceAmount - discountAmount;
    }

    // ---------------------------------------------------------------- terms

    function _putIntoEffect(Terms memory next) private {
        _terms = next;
        _clearPending();
        emit MandateChanged(next.mandate);
        emit PricingChanged(next.pricing);
    }

    function _clearPending() private {
        delete _pending;
        delete _effectiveAt;
    }

    function _checkPending() private view {
        if (_effectiveAt == 0) revert NoPendingTerms();
    }

    /// @dev Whether no limit is wider and no rate lower: then `present` finances every claim that `next` finances, at a
    /// rate that is at most as high.
    function _isNowhereLooser(Terms memory next, Terms memory present) private pure returns (bool) {
        return _isWithin(next.mandate, present.mandate) && _isAtLeast(next.pricing, present.pricing);
    }

    function _isWithin(Mandate memory next, Mandate memory present) private pure returns (bool) {
        return next.supportedTypesBitmap & ~present.supportedTypesBitmap == 0
            && next.minDurationDays >= present.minDurationDays && next.maxDurationDays <= present.maxDurationDays
            && next.minFace >= present.minFace && next.maxFace <= present.maxFace
            && next.maxClaimFace <= present.maxClaimFace && next.maxIssuerFace <= present.maxIssuerFace;
    }

    function _isAtLeast(Pricing memory next, Pricing memory present) private pure returns (bool) {
        for (uint256 i; i < present.premiumBps.length; ++i) {
            if (PricingMath.premiumBps(next, uint8(i)) < present.premiumBps[i]) return false;
        }
        return next.baseDiscountBps >= present.baseDiscountBps && next.durationBpsPerDay >= present.durationBpsPerDay;
    }

    /// @dev The mandate must leave room for a slice, and its most expensive rate must be below 100 %. The discount of a
    /// few base units can still be the whole face, since it is rounded up.
    function _checkTerms(Terms memory terms) private pure {
        Mandate memory mandate_ = terms.mandate;
        Pricing memory pricing_ = terms.pricing;
        uint256 most = Math.min(Math.min(mandate_.maxFace, mandate_.maxClaimFace), mandate_.maxIssuerFace);
        if (mandate_.minFace == 0 || mandate_.minFace > most) revert InvalidMandate();
        if (mandate_.minDurationDays > mandate_.maxDurationDays) revert InvalidMandate();
        // A premium for every possible type is enough; a longer list would only make each quote more expensive.
        if (pricing_.premiumBps.length > MAX_PREMIUMS) revert TooManyPremiums(pricing_.premiumBps.length);
        uint256 highestPremium;
        for (uint256 i; i < pricing_.premiumBps.length; ++i) {
            highestPremium = Math.max(highestPremium, pricing_.premiumBps[i]);
        }
        uint256 highestBps = uint256(pricing_.baseDiscountBps)
            + uint256(pricing_.durationBpsPerDay) * mandate_.maxDurationDays + highestPremium;
        if (highestBps >= BPS_DENOMINATOR) revert InvalidPricing(highestBps);
    }
}
